"""Who is away while others speak: upper layers of their own for the small encoder, over a trunk that stays as it ships.

python -m training.absences MODEL WEIGHTS DATA OUT     # MODEL as for `encoder.py`; WEIGHTS: those that ship; OUT: those with the lesson
    --held t1 t2 t6      keeps these authors aside; what is found of them goes to OUT's name with `.json`, for `absence_odds.py`
    --also FILE.toml     and of these open talks

What the lower layers make of a row is reckoned once. Teaches no other task: what answers a question stays as it was, number by number.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import nn
from transformers import BertConfig, BertModel

from narraworld.kb.encoder.readings import Silence, silence_row, silences
from training.encoder_weights import UPPER, earlier, lesson, with_lesson
from training.talk_labels import is_away, talks_of

if TYPE_CHECKING:
    from narraworld.kb.encoder.pieces import PieceRow
    from narraworld.kb.encoder.readings import Script

__all__ = ["Course", "main", "whole"]

FAR = -30000.0  # what padding weighs


@dataclass(frozen=True)
class Course:
    rounds: int = 4
    batch: int = 32
    rate: float = 1e-4
    warm: float = 0.1
    there: float = 0.6  # share of the silences of those who are there that are gone through in a round
    cut: int = 2  # cut talks of those who are there, for each of those who are away
    shortest: int = 3  # lines by others
    seed: int = 1


@dataclass
class Example:
    """A silence of a talk, laid out, and whether whoever is silent is away."""

    author: str
    talk: int
    silence: Silence
    row: PieceRow
    away: bool
    state: torch.Tensor | None = None  # what the lower layers make of it


# -- what is taught


def whole(place: Path, course: Course) -> Iterator[Example]:
    """Every silence of every talk."""
    author = str(place) if place.suffix else place.name
    for nth, talk, script in _talks(place):
        for one in silences(script):
            if len(one.lines(len(script))) >= course.shortest:
                yield Example(author, nth, one, silence_row(script, one), is_away(talk, one))


def cut(folder: Path, course: Course) -> list[Example]:
    """Talks that begin or end within a silence: newcomers and last departures are rare, and here is as much of them as of the others."""
    away, there = list[Example](), list[Example]()
    for nth, talk, script in _talks(folder):
        for who, before, after in silences(script):
            if before is None or after is None or after - before - 1 < course.shortest:
                continue
            gone = is_away(talk, Silence(who, before, after))
            late, last = Silence(who, None, after - before - 1), Silence(who, before, None)
            rows = (late, silence_row(script[before + 1 :], late)), (last, silence_row(script[:after], last))
            (away if gone else there).extend(Example(folder.name, nth, one, row, gone) for one, row in rows)
    dice = random.Random(f"{folder.name}{5}")
    return away + dice.sample(there, min(len(there), course.cut * len(away)))


def _talks(folder: Path) -> Iterator[tuple[int, Any, Script]]:
    for nth, talk in enumerate(talks_of(folder)):
        yield nth, talk, [((turn["by"],), turn["says"]) for turn in talk["turns"]]


# -- the learner


class Learner(nn.Module):
    """The upper layers and the head; the lower ones are asked once for each row."""

    def __init__(self, source: Path, weights: Path) -> None:
        super().__init__()
        config = BertConfig.from_pretrained(source, hidden_act="gelu_new")
        bert = BertModel.from_pretrained(source, config=config, add_pooling_layer=False)
        kept = {
            name.removeprefix("bert."): value
            for name, value in earlier(weights).items()
            if name.startswith("bert.")
        }
        bert.load_state_dict(kept, strict=False)  # embeddings are the model's own
        self.lower = [bert.eval()]  # in a list: it is not taught
        self.layers = copy.deepcopy(nn.ModuleList(bert.encoder.layer[UPPER:]))
        self.head = nn.Linear(384, 2)
        self.load_state_dict(lesson(weights, "absences"), strict=False)  # if they were taught before

    @torch.no_grad()
    def states(self, rows: Sequence[PieceRow]) -> list[torch.Tensor]:
        long = max(len(row.ids) for row in rows)
        ids, kinds, mask = (torch.zeros(len(rows), long, dtype=torch.long) for _ in range(3))
        for nth, row in enumerate(rows):
            many = len(row.ids)
            ids[nth, :many], kinds[nth, :many] = torch.tensor(row.ids), torch.tensor(row.looked_at)
            mask[nth, :many] = 1
        bert = self.lower[0]
        with torch.autocast("cpu", dtype=torch.bfloat16):
            found = bert.embeddings(input_ids=ids, token_type_ids=kinds)
            for layer in bert.encoder.layer[:UPPER]:
                found = layer(found, attention_mask=_unseen(mask))
        return [
            state[: len(row.ids)].to(torch.bfloat16).clone() for row, state in zip(rows, found, strict=True)
        ]

    def forward(self, states: Sequence[torch.Tensor]) -> torch.Tensor:
        found = nn.utils.rnn.pad_sequence(list(states), batch_first=True)
        mask = nn.utils.rnn.pad_sequence([torch.ones(len(one)) for one in states], batch_first=True)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            for layer in self.layers:
                found = layer(found, attention_mask=_unseen(mask))
        return self.head(found[:, 0].float())


def _unseen(mask: torch.Tensor) -> torch.Tensor:
    return (1 - mask[:, None, None, :].to(torch.bfloat16)) * FAR


def batches(found: Sequence[Example], size: int, dice: random.Random | None = None) -> list[list[Example]]:
    """Of rows about as long as one another."""
    order = list(found)
    if dice:
        dice.shuffle(order)
    order.sort(key=lambda one: len(one.row.ids) // 12)
    parts = [order[nth : nth + size] for nth in range(0, len(order), size)]
    if dice:
        dice.shuffle(parts)
    return parts


def teach(learner: Learner, found: Sequence[Example], course: Course) -> None:
    torch.manual_seed(course.seed)
    dice, draw = random.Random(course.seed), random.Random(course.seed + 99)

    def drawn() -> list[Example]:
        return [one for one in found if one.away or draw.random() < course.there]

    trained = [*learner.layers.parameters(), *learner.head.parameters()]
    optimizer = torch.optim.AdamW(trained, lr=course.rate, weight_decay=0.01, fused=True)
    steps = course.rounds * len(batches(drawn(), course.batch))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer,
        lambda n: min((n + 1) / (course.warm * steps), max(0.0, (steps - n) / (steps * (1 - course.warm)))),
    )
    learner.layers.train()
    for turn in range(course.rounds):
        losses = []
        for batch in batches(drawn(), course.batch, dice):
            labels = torch.tensor([int(one.away) for one in batch])
            loss = nn.functional.cross_entropy(learner([one.state for one in batch]), labels)
            loss.backward()
            nn.utils.clip_grad_norm_(trained, 1.0)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
            losses.append(loss.item())
        print(f"round {turn}: loss {sum(losses) / len(losses):.3f}", flush=True)


@torch.no_grad()
def judged(learner: Learner, found: Sequence[Example]) -> Iterator[dict[str, Any]]:
    """Of each silence the logarithm of the odds that whoever is silent is away."""
    learner.layers.eval()
    for batch in batches(found, 64):
        scores = learner([one.state for one in batch])
        for one, odds in zip(batch, (scores[:, 1] - scores[:, 0]).tolist(), strict=True):
            yield {"author": one.author, "talk": one.talk, "silence": one.silence, "odds": odds}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("model", "weights", "data", "out"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--held", nargs="*", default=[], help="authors to keep aside, and to judge by")
    parser.add_argument("--also", type=Path, nargs="*", default=[], help="open files of talks to judge by")
    options = parser.parse_args()
    torch.set_num_threads(1)  # several wait for one another longer than they save
    course, learner = Course(), Learner(options.model, options.weights)
    folders = sorted(one.parent for one in options.data.glob("*/talks.jsonl"))
    taught = [one for folder in folders if folder.name not in options.held for one in whole(folder, course)]
    taught += [one for folder in folders if folder.name not in options.held for one in cut(folder, course)]
    aside = [folder for folder in folders if folder.name in options.held]
    held = [one for place in (*aside, *options.also) for one in whole(place, course)]
    for batch in batches([*taught, *held], 64):
        for one, state in zip(batch, learner.states([one.row for one in batch]), strict=True):
            one.state = state
    print(f"{len(taught)} silences, {sum(one.away for one in taught)} away", flush=True)
    teach(learner, taught, course)
    with_lesson(options.weights, options.out, "absences", learner.state_dict(), learner.lower[0])
    if held:
        found = list(judged(learner, held))
        options.out.with_suffix(".json").write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main()
