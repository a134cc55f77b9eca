"""The commands of memory: what the next scene needs, and questions in plain English.

Each parses, calls one verb of `World`, prints, and has a documented exit code: 0 answered or found; 1 nothing found, or it does not hold;
2 a question or an option that means nothing here.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar, cast

import typer

from narraworld.base.errors import NarraWorldError
from narraworld.base.given_files import read_given_text
from narraworld.base.settings import DEFAULTS
from narraworld.commands.options import (
    SEEN,
    AsJson,
    ModelName,
    Replayed,
    Situation,
    Where,
    echo,
    one_of,
    open_world,
    print_json,
    print_lines,
    print_read_as,
    situated,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from narraworld.models.planner import Opens
    from narraworld.query.ask.in_words.shown import MindAtHand, QuestionShown
    from narraworld.query.memory.by_mind.scene_shown import ChoosingMind, SceneShown
    from narraworld.query.memory.context import Planner
    from narraworld.query.memory.needs import MemorySwitches
    from narraworld.query.situation import Purpose
    from narraworld.world import World

__all__ = ["register"]

Shown = TypeVar("Shown")
Said = TypeVar("Said")

EXITS = {"derived": 0, "unaware": 0, "found in the text": 0, "nothing found": 1, "not understood": 2}
PLANNERS = ("rules", "model", "model-without-preview", "none")
PURPOSES = ("writing", "question", "role-play")
LEFT_OUT = ("B", "H", "links")

Budget = Annotated[int, typer.Option("--budget", help="Most tokens the context may have.")]
Recorded = Annotated[
    Path | None, typer.Option("--record", help="Keep what the model answered in this file, to be replayed.")
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Show what a model would be asked, and what it would cost.")
]
To = Annotated[str | None, typer.Option("--to", help="Who is spoken to, in role-play.")]
For = Annotated[str, typer.Option("--for", help="writing, question or role-play.")]
Text = Annotated[Path | None, typer.Option(help="A file; it guides, and is never evidence.")]
PlannerName = Annotated[str, typer.Option("--planner", help=f"{', '.join(PLANNERS)}.")]
Without = Annotated[
    list[str] | None, typer.Option("--without", help="Leave out B (beliefs), H (hypotheticals) or links.")
]
WithH = Annotated[bool, typer.Option("--with-h", help="Let hypotheticals in where a question is answered.")]


def register(app: typer.Typer) -> None:
    app.command()(context)
    app.command()(ask)
    app.command()(preview)
    app.command()(search)


@situated(SEEN)
def context(
    request: Annotated[str, typer.Argument(help="What is to be written, in a sentence.")],
    situation: Situation,
    where: Where = Path(),
    budget: Budget = DEFAULTS.memory.packing.budget,
    to: To = None,
    purpose: For = "writing",
    passage: Text = None,
    outline: Text = None,
    planner: PlannerName = "rules",
    without: Without = None,
    with_h: WithH = False,
    with_model: Annotated[
        bool,
        typer.Option(
            "--with-model", help="Let a model say what the scene needs, and name the lines that tell it."
        ),
    ] = False,
    model: ModelName = None,
    replay: Replayed = None,
    record: Recorded = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Memory for the next passage.   narraworld context --as Leo --at ch07 --budget 4000 "rewrite the betrayal scene" """
    from narraworld.commands.show import context_json, context_lines
    from narraworld.query.memory.by_mind.scene_shown import SaidNeeds

    situation = _for(purpose, situation, to)
    _one_question(with_model or dry_run, planner)
    with open_world(where) as world:
        wanted = partial(
            world.context, request, situation, budget, passage=_text(passage), outline=_text(outline),
            switches=_switches(without, with_h, planner),
        )  # fmt: skip
        if dry_run:
            laid: list[SceneShown] = []
            wanted(mind=partial(_laid_out, laid, SaidNeeds(())))
            print_lines(_as_asked(laid, model))
            return
        mind = _choosing(world, with_model, model, replay, record)
        found = wanted(planner=None if mind else _planner(world, planner, model, replay), mind=mind)
    print_read_as(found)
    if as_json:
        print_json(context_json(found))
    else:
        print_lines(context_lines(found))
    if not found.items:
        raise typer.Exit(1)


@situated(SEEN)
def ask(
    question: Annotated[str, typer.Argument(help="A question in English.")],
    situation: Situation,
    where: Where = Path(),
    with_model: Annotated[
        bool, typer.Option("--with-model", help="Let a model answer in words, from lines that it is shown.")
    ] = False,
    model: ModelName = None,
    replay: Replayed = None,
    record: Recorded = None,
    dry_run: DryRun = False,
    show_query: Annotated[
        bool, typer.Option("--query", help="Show the rule query that the question became.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """A question in plain English.   narraworld ask "Where does Leo think the key is?" """
    from narraworld.commands.show import reply_json, reply_lines
    from narraworld.query.ask.in_words.shown import SaidInWords

    situation = _for("question", situation)
    with open_world(where) as world:
        if dry_run:
            laid: list[QuestionShown] = []
            world.ask(question, situation, mind=partial(_laid_out, laid, SaidInWords(answered=False)))
            print_lines(_as_asked(laid, model))
            return
        reply = world.ask(question, situation, mind=_mind(world, with_model, model, replay, record))
    print_read_as(reply)
    if as_json:
        print_json(reply_json(reply))
    else:
        print_lines(reply_lines(reply, show_query))
    code = EXITS[reply.outcome] or (1 if reply.verdict is False else 0)
    if code:
        raise typer.Exit(code)


@situated(SEEN)
def preview(
    situation: Situation,
    where: Where = Path(),
    as_json: AsJson = False,
) -> None:
    """A compact look at memory: who there is, what is under way, how much lies where."""
    from dataclasses import asdict

    with open_world(where) as world:
        found = world.preview(situation)
    print_read_as(found)
    if as_json:
        print_json(asdict(found))
    else:
        print_lines(found.lines())


@situated(SEEN)
def search(
    query: Annotated[
        str, typer.Argument(help='Words, "phrases", wild*, fuzzy~1, speaker: who: place: kind: chapter:')
    ],
    situation: Situation,
    where: Where = Path(),
    limit: Annotated[
        int, typer.Option("--limit", min=1, help="Most sentences shown.")
    ] = DEFAULTS.memory.found.listed,
    as_json: AsJson = False,
) -> None:
    """Sentences of the text.   narraworld search 'speaker:Leo "the key" OR drawer*'"""
    from dataclasses import asdict

    from narraworld.commands.show import found_lines

    with open_world(where) as world:
        found = world.search(query, situation, limit=limit)
    if as_json:
        print_json([asdict(one) for one in found])
    else:
        print_lines(found_lines(found))
    if not found:
        raise typer.Exit(1)


# -- options into values


def _for(purpose: str, situation: Situation, to: str | None = None) -> Situation:
    """The situation with what its memory is for; in role-play the eyes are those of the one who speaks."""
    one_of("--for", purpose, PURPOSES)
    found = replace(situation, recipient=to, purpose=cast("Purpose", purpose))
    if purpose != "role-play":
        if to is not None:
            raise NarraWorldError(
                "--to is only used with --for role-play", fix="add --for role-play, or leave it out"
            )
        return found
    if situation.focalizer is None:
        raise NarraWorldError("role-play needs a speaker", fix="add --as NAME")
    return replace(found, focalizer=None, teller=situation.focalizer)


def _switches(without: list[str] | None, with_h: bool, planner: str) -> MemorySwitches:
    from narraworld.query.memory.needs import MemorySwitches

    for name in without or ():
        one_of("--without", name, LEFT_OUT)
    left_out = set(without or ())
    return MemorySwitches(
        beliefs="B" not in left_out, possibilities="H" not in left_out, cross_event="links" not in left_out,
        planning=planner != "none", possibilities_for_questions=with_h,
    )  # fmt: skip


def _planner(world: World, name: str, model: str | None, replay: Path | None) -> Planner | None:
    one_of("--planner", name, PLANNERS)
    if not name.startswith("model"):
        _refuse_model((model, replay), "--model and --replay", "--planner model or --with-model")
        return None
    from narraworld.models.planner import planner_with

    return planner_with(_opens(world, model, replay), with_preview=name == "model")


def _mind(
    world: World, wanted: bool, model: str | None, replay: Path | None, record: Path | None
) -> MindAtHand | None:
    if not wanted:
        _refuse_model((model, replay, record), "--model, --replay and --record", "--with-model")
        return None
    from narraworld.models.planner import answering_with

    return answering_with(_opens(world, model, replay, record))


def _choosing(
    world: World, wanted: bool, model: str | None, replay: Path | None, record: Path | None
) -> ChoosingMind | None:
    """The mind that says what a scene needs."""
    if not wanted:
        _refuse_model((record,), "--record", "--with-model")
        return None
    from narraworld.models.planner import choosing_with

    return choosing_with(_opens(world, model, replay, record))


def _one_question(with_model: bool, planner: str) -> None:
    """A model that says what the scene needs is not asked to plan as well."""
    if with_model and planner != "rules":
        raise NarraWorldError(
            "--with-model and --planner are two ways to make a context", fix="leave one of them out"
        )


def _laid_out(laid: list[Shown], nothing: Said, shown: Shown) -> Said:
    """Nobody's answer to a question that is only to be looked at."""
    laid.append(shown)
    return nothing


def _as_asked(laid: Sequence[QuestionShown | SceneShown], model: str | None) -> Iterator[str]:
    """The question as a model would get it, and its forecast; none is asked."""
    from narraworld.models.planner import forecast_of, prompt_of

    for shown in laid:
        yield from (prompt_of(shown).system, "", shown.text)
        echo(forecast_of(shown, model), err=True)


def _refuse_model(given: tuple[object, ...], names: str, option: str) -> None:
    """A model that is named and not asked is a slip."""
    if any(one is not None for one in given):
        raise NarraWorldError(
            f"{names} have no effect without {option}", fix=f"add {option}, or leave them out"
        )


def _opens(world: World, model: str | None, replay: Path | None, record: Path | None = None) -> Opens:
    from narraworld.models.session import ModelSession
    from narraworld.relay.desk import answers_instead

    if replay is not None:
        echo("(answers are replayed from recordings; no model is asked)", err=True)
    root = world.store.root
    instead = answers_instead(root, model)
    return partial(ModelSession, root / "cache", model, replay, record=record, instead=instead)


def _text(path: Path | None) -> str:
    try:
        return read_given_text(path) if path else ""
    except UnicodeDecodeError as trouble:
        raise NarraWorldError("is not UTF-8 text", where=str(path), fix="save it as UTF-8") from trouble
