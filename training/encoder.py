"""The small encoder, taught three things together: which sentence answers, which two sentences clash, who is away while others talk.

python -m training.encoder MODEL DATA OUT     # MODEL: a folder with all-MiniLM-L6-v2; DATA: training/prose; OUT: weights.npz
    --held 12        keeps every twelfth fragment, pair and talk aside and prints what is found on it

Starts from all-MiniLM-L6-v2 (Apache-2.0); what it is taught was written for this. Embeddings stay as they are. Two cores, an hour.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from transformers import BertConfig, BertModel

from narraworld.kb.encoder.pieces import ASKED, TOLD, PieceRow, joined, on_answers
from narraworld.kb.search.passages import passages_of
from narraworld.kb.search.search_words import analyse
from training.absences import Course as Silences
from training.absences import whole
from training.encoder_weights import earlier, keep

__all__ = ["main"]

FIXED = 2  # layers from below that stay as they are, as do the embeddings

WEIGHTS = {"answers": (0.5, 1.0, 1.0, 1.0), "clashes": (1.0, 1.0, 1.0), "absences": (1.0, 2.0)}
HEADS = {"answers": 4, "clashes": 3, "absences": 2}
KINDS, VERDICTS = ("none", "part", "yes", "no"), ("fine", "change", "conflict")


@dataclass(frozen=True)
class Course:
    rounds: int = 3
    batch: int = 32
    rate: float = 8e-5
    warm: float = 0.1
    near: int = 3  # sentences of the same fragment that do not answer, the likest
    others: int = 1  # and any others
    answers: float = 1.0  # share of the rows of questions in a round
    often: int = 1  # how often pairs and talks come in a round
    weights: Mapping[str, Sequence[float]] = field(default_factory=lambda: WEIGHTS)  # what each label weighs
    seed: int = 1


@dataclass
class Example:
    """One row with what is to be said of it."""

    task: str
    row: PieceRow
    label: int
    first: int = -1
    last: int = -1
    group: str = ""


# -- what is taught


def answers(folder: Path, course: Course, dice: random.Random) -> Iterator[Example]:
    for nth, fragment in enumerate(_lines(folder / "fragments.jsonl")):
        text = fragment["text"]
        places = passages_of(text)
        sentences = [one.cut(text) for one in places]
        for number, asked in enumerate(fragment["questions"]):
            group = f"{folder.name}/{nth}/{number}"
            yield from _asked(asked, text, places, sentences, group, course, dice)


def _asked(asked, text, places, sentences, group, course, dice) -> Iterator[Example]:
    start = text.find(asked["quote"]) if asked["quote"] else -1
    end = start + len(asked["quote"])
    right = [n for n, one in enumerate(places) if start >= 0 and one.start < end and start < one.end]
    kind = "none" if start < 0 else asked["answer"].lower().strip(". ")
    label = KINDS.index(kind if kind in ("none", "yes", "no") else "part")
    if label == KINDS.index("part") and not asked["words"]:
        return
    for n in right:
        yield from _positive(asked, places, sentences, n, start, label, text, group)
    wrong = [n for n in range(len(sentences)) if n not in right]
    stems = set(analyse(asked["ask"]))
    wrong.sort(key=lambda n: -len(stems & set(analyse(sentences[n]))))
    rest = wrong[course.near :]
    chosen = wrong[: course.near] + dice.sample(rest, min(course.others, len(rest)))
    for n in chosen:
        yield Example("answers", _row(asked, sentences, n), 0, group=group)


def _row(asked, sentences, n) -> PieceRow:
    return on_answers(asked["ask"], sentences[n], sentences[n - 1] if n else "")


def _positive(asked, places, sentences, n, start, label, text, group) -> Iterator[Example]:
    row = _row(asked, sentences, n)
    if label != KINDS.index("part"):
        yield Example("answers", row, label, group=group)
        return
    at = text.find(asked["words"], start) - places[n].start
    inside = [place for place, (a, b) in row.characters.items() if a < at + len(asked["words"]) and at < b]
    if inside:
        yield Example("answers", row, label, min(inside), max(inside), group)


def clashes(folder: Path) -> Iterator[Example]:
    for nth, one in enumerate(_lines(folder / "pairs.jsonl")):
        label = VERDICTS.index(one["verdict"])
        about = f"{one['respect']} of {one['of']}"
        row = joined([(about, ASKED, False), (one["a"], TOLD, False), (one["b"], TOLD, True)])
        yield Example("clashes", row, label, group=f"{folder.name}/{nth}")


def absences(folder: Path) -> Iterator[Example]:
    if (folder / "talks.jsonl").is_file():
        for one in whole(folder, Silences()):
            yield Example("absences", one.row, int(one.away), group=f"{folder.name}/{one.talk}")


def _lines(path: Path) -> Iterator[Any]:
    if path.is_file():
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.strip():
                yield json.loads(line)


def examples(folder: Path, course: Course) -> list[Example]:
    dice = random.Random(course.seed)
    return [*answers(folder, course, dice), *clashes(folder), *absences(folder)]


# -- the learner


class Learner(nn.Module):
    def __init__(self, source: Path) -> None:
        super().__init__()
        config = BertConfig.from_pretrained(source, hidden_act="gelu_new")
        self.bert = BertModel.from_pretrained(source, config=config, add_pooling_layer=False)
        for fixed in (self.bert.embeddings, *self.bert.encoder.layer[:FIXED]):
            fixed.requires_grad_(False)
        self.heads = nn.ModuleDict({name: nn.Linear(384, many) for name, many in HEADS.items()})
        self.parts = nn.Linear(384, 2)

    def forward(self, ids, kinds, mask):
        return self.bert(input_ids=ids, token_type_ids=kinds, attention_mask=mask).last_hidden_state


def batches(found: Sequence[Example], size: int, dice: random.Random | None) -> list[list[Example]]:
    """Batches of one task each, of rows about as long as one another."""
    order = list(found)
    if dice:
        dice.shuffle(order)
    order.sort(key=lambda one: (one.task, len(one.row.ids) // 12))
    by_task: list[list[Example]] = []
    for task in HEADS:
        own = [one for one in order if one.task == task]
        by_task += [own[n : n + size] for n in range(0, len(own), size)]
    if dice:
        dice.shuffle(by_task)
    return by_task


def tensors(batch: Sequence[Example]):
    long = max(len(one.row.ids) for one in batch)
    ids, kinds, mask = (torch.zeros(len(batch), long, dtype=torch.long) for _ in range(3))
    for nth, one in enumerate(batch):
        many = len(one.row.ids)
        ids[nth, :many] = torch.tensor(one.row.ids)
        kinds[nth, :many] = torch.tensor(one.row.looked_at)
        mask[nth, :many] = 1
    return ids, kinds, mask


def loss_of(learner: Learner, batch: Sequence[Example], course: Course):
    ids, kinds, mask = tensors(batch)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = learner(ids, kinds, mask)
    found, task = found.float(), batch[0].task
    labels = torch.tensor([one.label for one in batch])
    weight = torch.tensor(course.weights[task])
    loss = nn.functional.cross_entropy(learner.heads[task](found[:, 0]), labels, weight=weight)
    if task == "answers":
        parts = learner.parts(found).masked_fill((kinds * mask)[..., None] == 0, -1e4)
        firsts, lasts = torch.tensor([one.first for one in batch]), torch.tensor([one.last for one in batch])
        if (firsts >= 0).any():
            for column, goal in ((0, firsts), (1, lasts)):
                loss = loss + 0.5 * nn.functional.cross_entropy(parts[..., column], goal, ignore_index=-1)
    return loss


def _round(found: Sequence[Example], course: Course, dice: random.Random) -> list[Example]:
    """What is gone through in one round."""
    asked = [one for one in found if one.task == "answers" and dice.random() < course.answers]
    return asked + [one for one in found if one.task != "answers"] * course.often


def teach(learner: Learner, found: Sequence[Example], course: Course) -> None:
    torch.set_num_threads(1)  # several wait for one another longer than they save
    torch.manual_seed(course.seed)
    dice = random.Random(course.seed)
    trained = [one for one in learner.parameters() if one.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=course.rate, weight_decay=0.01, fused=True)
    steps = course.rounds * len(batches(_round(found, course, dice), course.batch, None))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer,
        lambda n: min((n + 1) / (course.warm * steps), max(0.0, (steps - n) / (steps * (1 - course.warm)))),
    )
    learner.train()
    began, done = time.time(), 0
    for turn in range(course.rounds):
        for batch in batches(_round(found, course, dice), course.batch, dice):
            loss = loss_of(learner, batch, course)
            loss.backward()
            nn.utils.clip_grad_norm_(trained, 1.0)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
            done += 1
            if done % 50 == 0:
                print(
                    f"round {turn} step {done}/{steps} {batch[0].task} loss {loss.item():.3f} {time.time() - began:.0f} s",
                    flush=True,
                )


# -- what is found


@torch.no_grad()
def judged(learner: Learner, found: Sequence[Example]) -> Iterator[tuple[Example, np.ndarray]]:
    learner.eval()
    for batch in batches(found, 64, None):
        ids, kinds, mask = tensors(batch)
        shares = learner.heads[batch[0].task](learner(ids, kinds, mask)[:, 0]).softmax(-1).numpy()
        yield from zip(batch, shares, strict=True)


def show(learner: Learner, found: Sequence[Example]) -> None:
    all_judged = list(judged(learner, found))
    for task in ("clashes", "absences"):
        own = [(one.label, shares) for one, shares in all_judged if one.task == task]
        for label in range(1, HEADS[task]):
            for least in (0.5, 0.7, 0.9):
                said = [gold == label for gold, shares in own if shares[label] >= least]
                there = sum(gold == label for gold, _ in own)
                if there:
                    print(
                        f"{task} {label} at {least}: right {sum(said)}/{len(said)}, found {sum(said)}/{there}"
                    )
    questions: dict[str, list[tuple[int, np.ndarray]]] = {}
    for one, shares in all_judged:
        if one.task == "answers":
            questions.setdefault(one.group, []).append((one.label, shares))
    answered = [own for own in questions.values() if any(label for label, _ in own)]
    if answered:
        first = sum(max(own, key=lambda pair: 1 - pair[1][0])[0] > 0 for own in answered) / len(answered)
        print(f"answers: the sentence first {first:.3f} of {len(answered)} questions")
        yesno = [(label, shares) for own in answered for label, shares in own if label in (2, 3)]
        print(
            "yes or no told apart",
            sum((shares[2] > shares[3]) == (label == 2) for label, shares in yesno),
            len(yesno),
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument(
        "--held",
        type=int,
        default=0,
        help="every so many-th fragment, pair and talk is left out, to judge by",
    )
    parser.add_argument(
        "--after", type=Path, help="weights to go on from: of an earlier lesson, or what ships"
    )
    parser.add_argument("--rounds", type=int, default=Course.rounds)
    parser.add_argument("--rate", type=float, default=Course.rate)
    parser.add_argument("--only", default="")
    parser.add_argument("--answers", type=float, default=1.0)
    parser.add_argument("--often", type=int, default=1)
    options = parser.parse_args()
    course = Course(rounds=options.rounds, rate=options.rate, answers=options.answers, often=options.often)
    found = {
        folder.name: examples(folder, course) for folder in sorted(options.data.iterdir()) if folder.is_dir()
    }
    if options.only:
        found = {
            name: [one for one in own if re.search(options.only, one.task)] for name, own in found.items()
        }
    everything = [one for own in found.values() for one in own]
    held = [one for one in everything if options.held and int(one.group.split("/")[1]) % options.held == 3]
    left_out = {id(one) for one in held}
    taught = [one for one in everything if id(one) not in left_out]
    print(
        {task: sum(one.task == task for one in taught) for task in HEADS},
        "mean length",
        sum(len(o.row.ids) for o in taught) / len(taught),
        flush=True,
    )
    learner = Learner(options.model)
    if options.after:
        learner.load_state_dict(earlier(options.after), strict=False)  # heads may have come since
    teach(learner, taught, course)
    keep(learner.state_dict(), options.out)
    torch.save(learner.state_dict(), options.out.with_suffix(".pt"))
    if held:
        show(learner, held)


if __name__ == "__main__":
    main()
