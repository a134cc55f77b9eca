"""The commands over many stories: a folder of them read into Parquet, then asked, checked and analysed all at once.

Each parses, calls one verb of `narraworld.corpus`, prints, and has a documented exit code.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from narraworld.base.quotation_marks import in_marks
from narraworld.commands.options import AsJson, Rules, echo, print_json, print_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from narraworld.corpus.buckets import BucketRead
    from narraworld.corpus.many_stories import Corpus, CorpusAnswer

__all__ = ["register"]

corpus = typer.Typer(
    no_args_is_help=True, help="Many stories at once: read, ask, check and analyse a whole corpus."
)

Where = Annotated[
    Path, typer.Option("--corpus", "-c", help="Folder that `corpus read` made.", envvar="NARRAWORLD_CORPUS")
]
Across = Annotated[
    list[Path] | None,
    typer.Option("--across", help="A rule file across stories, which says `story` itself; may be repeated."),
]


def register(app: typer.Typer) -> None:
    app.add_typer(corpus, name="corpus")


@corpus.command()
def read(
    folder: Annotated[Path, typer.Argument(help="Each file, and each folder, in it is one story.")],
    into: Annotated[
        Path, typer.Option("--into", help="Folder of the corpus.", envvar="NARRAWORLD_CORPUS")
    ] = Path("corpus"),
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Processes; the result is the same.")] = 1,
    size: Annotated[int | None, typer.Option("--size", min=1, help="Stories in a bucket.")] = None,
    bucket: Annotated[
        str | None, typer.Option("--bucket", help="Only this one of so many, as in 17/200.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Read a folder of stories into a corpus; what was read before is not read again.   narraworld corpus read tales --jobs 4"""
    from narraworld.base.settings import BulkSettings
    from narraworld.commands.progress import progress_bar
    from narraworld.corpus.read import Share, bucket_count, read_corpus
    from narraworld.corpus.story_folder import stories_in

    share, per_bucket = Share.of_text(bucket) if bucket else None, size or BulkSettings().bucket
    steps = ["bucket"] * (1 if share else bucket_count(len(stories_in(folder)), per_bucket))
    buckets: list[BucketRead] = []
    with progress_bar([] if as_json else steps, lambda: "") as finished:
        for done in read_corpus(folder, into, jobs=jobs, size=per_bucket, share=share):
            buckets.append(done)
            with finished():
                print_lines([] if as_json else _bucket_lines(done))
    if as_json:
        print_json([asdict(done) for done in buckets])
    if any(story.why for done in buckets for story in done.stories):
        raise typer.Exit(1)


def _bucket_lines(bucket: BucketRead) -> Iterator[str]:
    good = [story for story in bucket.stories if story.why is None]
    words, rows, refused = (
        sum(getattr(story, name) for story in good) for name in ("words", "rows", "refused")
    )
    how = f"{words:,} words, {rows:,} rows" + (f", {refused} records refused" if refused else "")
    yield f"bucket {bucket.number:05}  {len(good)} stories  {how}{'' if bucket.fresh else '  (unchanged)'}"
    yield from (f"  not read: {story.story}: {story.why}" for story in bucket.stories if story.why)


@corpus.command()
def query(
    text: Annotated[
        str,
        typer.Argument(
            help="A goal or conditions, as asked of one story; or with the story as first column."
        ),
    ],
    where: Where = Path("corpus"),
    rules: Rules = None,
    across: Across = None,
    as_json: AsJson = False,
) -> None:
    """Ask every story at once, in rules.   narraworld corpus query 'mistaken(Who, P, Truth)'"""
    opened = _opened(where, rules, across)
    answer = opened.query(text)
    if as_json:
        print_json(asdict(answer))
    else:
        print_lines(_answer_lines(answer))
    if not answer.rows:
        raise typer.Exit(1)


@corpus.command()
def check(
    where: Where = Path("corpus"),
    rules: Rules = None,
    select: Annotated[
        list[str] | None, typer.Option("--select", help="Only these checks, or beginnings of them.")
    ] = None,
    ignore: Annotated[list[str] | None, typer.Option("--ignore", help="Not these checks.")] = None,
    as_json: AsJson = False,
) -> None:
    """What does not fit in each story; no waivers, no ranking.   narraworld corpus check --select NW1"""
    found = _opened(where, rules, None).check(select or (), ignore or ())
    if as_json:
        print_json([asdict(one) for one in found])
    else:
        print_lines(
            f"{one.story}  {one.rule} {one.severity}: {one.title}  {in_marks(one.first)} / {in_marks(one.second)}"
            for one in found
        )
        echo(f"{len(found)} findings in {len({one.story for one in found})} stories")
    if found:
        raise typer.Exit(1)


@corpus.command()
def analyse(
    files: Annotated[
        list[Path], typer.Argument(help="Rule files, folders of them, or theories by name, about each story.")
    ],
    where: Where = Path("corpus"),
    across: Across = None,
    as_json: AsJson = False,
) -> None:
    """All rows of what your rules declare, in every story and across stories.   narraworld corpus analyse my.dl --across mine.dl"""
    opened = _opened(where, files, across)
    found = opened.analyse()
    if as_json:
        print_json({name: asdict(answer) for name, answer in found.items()})
        return
    for name, answer in found.items():
        echo(f"{name}  ({len(answer.rows)} rows)")
        print_lines(f"  {line}" for line in _answer_lines(answer))


def _opened(where: Path, rules: Sequence[Path] | None, across: Sequence[Path] | None) -> Corpus:
    from narraworld.corpus.many_stories import Corpus

    opened = Corpus(where, rules=rules or (), across=across or ())
    for place in opened.products() if across else ():
        echo(f"narraworld: {place}: pairs every story with every other; let both share something", err=True)
    return opened


def _answer_lines(answer: CorpusAnswer) -> Iterator[str]:
    from narraworld.commands.show import table_lines

    if not answer.rows:
        yield "no answer"
        return
    yield from table_lines(answer.columns, [[str(value) for value in row] for row in answer.rows])
