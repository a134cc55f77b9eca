"""The teacher's grammar of sentences: en_ud_model_sm 1.1.0 (Allen Institute for AI, Apache-2.0), asked over a file.

    OLD/bin/python training/teacher.py MODEL ASKED TOLD

A script by itself, because the teacher needs spaCy 2.2 and so an older Python: one JSON line in for each sentence
(`words`), the same line out with the teacher's `tags`, `heads` and `labels` (Universal Dependencies 1).
"""

import json
import sys
from pathlib import Path

PLAIN = {"“": '"', "”": '"', "‘": "'", "’": "'", "—": "--"}  # the teacher never saw printers' quotation marks


def plain(word: str) -> str:
    return "".join(PLAIN.get(letter, letter) for letter in word)


def main(model: str, asked: str, told: str) -> None:
    import spacy
    from spacy.tokens import Doc

    nlp = spacy.load(model, disable=["ner"])
    with Path(asked).open(encoding="utf-8") as lines, Path(told).open("w", encoding="utf-8") as out:
        for line in lines:
            one = json.loads(line)
            doc = Doc(nlp.vocab, words=[plain(word) for word in one["words"]])
            for token in doc:
                token.is_sent_start = token.i == 0
            for _, pipe in nlp.pipeline:
                pipe(doc)
            one["tags"] = [token.tag_ for token in doc]
            one["heads"] = [token.head.i for token in doc]
            one["labels"] = [token.dep_ for token in doc]
            out.write(json.dumps(one) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
