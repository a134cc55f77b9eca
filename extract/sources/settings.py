"""What a reading of files may cost, and how long a heading or a title page may be. Pure values."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["SourceSettings"]

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class SourceSettings:
    """Limits first, then the few places where reading a manuscript is a matter of judgement."""

    largest_file: int = 64 * MIB  # an archive has pictures in it
    largest_text: int = 10 * MIB  # ten novels; to cut it takes up to forty times as much memory
    largest_unpacked: int = 48 * MIB  # of an archive, what is read
    most_marks: int = 1_500_000  # of an XML document: `<` and `=`, each of which costs memory of its own
    most_blanks: int = 1_000  # that a document may ask for in a row
    steepest_ratio: int = 200  # unpacked to packed; prose reaches 3, its XML 30
    ratio_matters_from: int = MIB  # small members may be as empty as they like
    most_members: int = 10_000
    most_files: int = 10_000

    chapter_level: int | None = None  # the heading level that begins a chapter; None: find it
    heading_words: int = 25  # a longer line is prose
    front_words: int = 40  # fewer words before the first chapter are a title page
    contents_words: int = 30  # fewer words under a heading that comes again are a line of the contents
    contents_lines: int = 3  # as many heading lines without a gap are a table of contents
    long_line: int = 120  # a longer line is not hard-wrapped: a paragraph of its own
