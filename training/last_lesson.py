"""The last lesson of the syntax weights: the treebank one sentence at a time, as the reader shows it, the rate falling to nothing.

python -m training.last_lesson OUT     # OUT/syntax/model-best and OUT/train.spacy in; OUT/lesson
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["Course", "main"]


@dataclass(frozen=True)
class Course:
    steps: int = 1300
    words: int = 1200  # in a step
    rate: float = 0.001
    warm: int = 50  # steps until the rate is reached
    dropout: float = 0.1
    seed: int = 0


def _batches(examples: list[Any], course: Course) -> Iterator[list[Any]]:
    from spacy.training.batchers import minibatch_by_words

    while True:
        random.shuffle(examples)
        yield from minibatch_by_words(examples, size=course.words, tolerance=0.2, discard_oversize=False)


def _knows_its_trees(nlp: Any) -> None:
    """spaCy 3.8 loads the lemmatizer without the numbers of its edit trees; taught so, it would unlearn them all."""
    lemmatizer = nlp.get_pipe("trainable_lemmatizer")
    lemmatizer.tree2label = {tree: number for number, tree in enumerate(lemmatizer.cfg["labels"])}


def main(out: Path, course: Course | None = None) -> None:
    import spacy
    from spacy.training import Corpus
    from thinc.api import Adam, fix_random_seed, use_ops

    chosen = course or Course()
    fix_random_seed(chosen.seed)
    with use_ops("numpy", use_blis=False):  # on one thread (OPENBLAS_NUM_THREADS=1) twice as fast
        nlp = spacy.load(out / "syntax" / "model-best")
    _knows_its_trees(nlp)
    examples = list(Corpus(out / "train.spacy", gold_preproc=True)(nlp))
    sgd: Any = Adam(chosen.rate, L2=0.01, grad_clip=1.0, L2_is_weight_decay=True, use_averages=True)
    nlp.resume_training(sgd=sgd)
    for step, batch in zip(range(chosen.steps), _batches(examples, chosen), strict=False):
        sgd.learn_rate = chosen.rate * min(1, (step + 1) / chosen.warm) * (1 - step / chosen.steps)
        nlp.update(batch, drop=chosen.dropout, sgd=sgd)
    with nlp.use_params(sgd.averages):
        nlp.to_disk(out / "lesson")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
