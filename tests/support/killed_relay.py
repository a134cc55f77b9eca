"""A reading through the relay in which whoever is at work is killed over and over: `killed_relay.py WORLD CHAPTERS`.

Every action (begin, ask for a question, answer it) runs in a child that is ended by SIGKILL at one of its operations on the world's
files, each time at another; an audit hook counts them. Prints how often that happened, where, and whether an answered question
came back.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from answerer import answer_all, answer_one, tale

from narraworld.relay.errand import Errand, Relay

WATCHED = ("open", "os.rename", "os.remove", "os.mkdir", "os.truncate", "sqlite3.connect")
STEP, LONGEST, PATIENCE = 7, 67, 8  # where in an action to strike; every so many times it may finish


class Hangman:
    """Ends this process at an operation on the world's files."""

    def __init__(self, where: Path, at: int) -> None:
        self.where, self.left = str(where), at

    def __call__(self, event: str, args: tuple[object, ...]) -> None:
        if event in WATCHED and args and str(args[0]).startswith(self.where):
            self.left -= 1
            if self.left == 0:
                os.kill(os.getpid(), signal.SIGKILL)


def attempt(action: Callable[[], None], where: Path, at: int) -> bool:
    """Whether the action, in a child that may be killed, came to its end."""
    child = os.fork()
    if child == 0:
        if at:
            sys.addaudithook(Hangman(where, at))
        action()
        os._exit(0)
    _, ended = os.waitpid(child, 0)
    if os.WIFEXITED(ended) and os.WEXITSTATUS(ended):
        raise SystemExit("a child failed")
    return os.WIFEXITED(ended)


def main(where: Path, chapters: Path) -> None:
    relay, kills, tries = Relay(where), dict[str, int](), 0
    answered, asked_again = set[str](), list[str]()

    def act() -> None:
        if relay.errand() is None:
            relay.begin(Errand((str(chapters),)))
        elif (shown := relay.next("ada")) is not None:
            answer_one(relay, shown, "ada")

    while relay.errand() is not None or tries == 0 or not answered:
        open_ = relay.desk.open()
        asked_again += [one.id for one in open_ if one.digest in answered]
        tries += 1
        spared = tries % PATIENCE == 0
        if not attempt(act, where, 0 if spared else tries * STEP % LONGEST + 1):
            name = open_[0].name if open_ else "begin" if not answered else "going on"
            kills[name] = kills.get(name, 0) + 1
        answered |= {one.digest for one in open_ if relay.desk.cache.has(one.digest)}
    print(json.dumps({"kills": kills, "asked_again": asked_again, "answered": len(answered)}))


def warm_up() -> None:
    """Import once what every child needs."""
    with TemporaryDirectory() as folder:
        Relay(Path(folder)).begin(Errand((str(tale(Path(folder) / "chapters", units=1)),)))
        answer_all(Path(folder))


warm_up()
main(Path(sys.argv[1]), Path(sys.argv[2]))
