"""How files and prose are read, by either reader. Pure values; imports nothing of ours."""

from __future__ import annotations

from dataclasses import field

from narraworld.base.quick_dataclass import dataclass

__all__ = [
    "AbsenceSettings",
    "AheadSettings",
    "AttributionSettings",
    "CandidateBounds",
    "CastSettings",
    "ConsolidationSettings",
    "DeskSettings",
    "DialogueSettings",
    "DocumentSettings",
    "DoubtSettings",
    "EmbeddedSection",
    "Estimates",
    "IntroducedSettings",
    "MarkSettings",
    "MisspeltSettings",
    "NameSpanSettings",
    "OwnerSettings",
    "ParticipantSettings",
    "PriorSettings",
    "QuotationSettings",
    "RankerSettings",
    "ReadingSettings",
    "SourceSettings",
    "StrangerSettings",
    "TwoNamesSettings",
]

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


@dataclass(frozen=True, slots=True)
class QuotationSettings:
    """When a habit is the text's own."""

    script_lines: int = 3  # fewer labelled lines are no script
    script_share: float = 0.5  # of all lines
    term_words: int = 4  # longer ones are somebody's words
    lead: int = 24  # characters before it that tell


@dataclass(frozen=True, slots=True)
class DocumentSettings:
    """Which sentences are worth their parse; what is longer than anybody writes counts as not understood."""

    longest: int = 30  # words of a spoken one
    longest_told: int = 400  # words; what a parser needs grows faster than a sentence
    longest_text: int = 4_000  # characters
    longest_word: int = 200  # characters without a blank; a tokenizer's time grows with their square


@dataclass(frozen=True, slots=True)
class NameSpanSettings:
    """When capitals are no name."""

    heading_words: int = 6
    heading_share: float = 0.6  # of words with a capital


@dataclass(frozen=True, slots=True)
class CastSettings:
    """How much evidence is enough."""

    gender_lead: float = 2.0  # votes for one gender per vote for the other
    sure_of_gender: int = 12  # as many votes of earlier units count; more tell no more
    place_share: float = 0.4  # share of uses behind `in`, `at`, … that make a place
    thing_share: float = 0.34  # share of uses as a doer that a thing called `the` may have


@dataclass(frozen=True, slots=True)
class MisspeltSettings:
    """How rare a slip is, and how much oftener the name it is a slip of."""

    rare: int = 2
    ratio: int = 10


@dataclass(frozen=True, slots=True)
class StrangerSettings:
    """How much must have been told, so that everybody has had time to be introduced, and how often another is named."""

    told: int = 6_000  # characters before the stranger acts
    often: int = 20


@dataclass(frozen=True, slots=True)
class TwoNamesSettings:
    """How often the one name stands, how seldom the other, and how far they keep from each other."""

    often: int = 4
    rare: int = 3
    ratio: float = 2.0
    apart: int = 300  # characters: whoever names both in a breath means two
    shortest: int = 5  # letters of a name that is judged by its sound


@dataclass(frozen=True, slots=True)
class OwnerSettings:
    """From which probability on an answer stands; measured by `bench coref`."""

    alone: float = 0.6  # the ranker's, against the rules
    silent: float = 0.3  # the ranker's, where the rules say nothing
    deed: float = 0.5  # the same for a deed, whose record carries no doubt
    speaker: float = 0.7  # of `I` in a speech whose speaker the text does not name (`bench pdnc`)
    agreed: float = 0.84  # where both say the same
    sure: float = 0.5  # the ranker's, where both say the same and nobody else is near


@dataclass(frozen=True, slots=True)
class IntroducedSettings:
    """From when on somebody described is one with somebody named (`introduced.toml`)."""

    least: float = 0.5  # below it they stay two
    grammar: float = 0.9  # from here on no sex guessed by pronouns stands against it
    window: int = 60  # sentences back in which the same noun means the same one


@dataclass(frozen=True, slots=True)
class RankerSettings:
    """Whom a pronoun may reach, and from when on an answer counts."""

    window: int = 30  # sentences back
    crowd: int = 12  # candidates at most, the latest
    link: float = 0.3  # from this probability on later pronouns see the answer
    rivals: int = 5  # sentences back in which somebody else makes an answer unsure
    others: int = 3  # of whom else it may be, how many are told


@dataclass(frozen=True, slots=True)
class AttributionSettings:
    """What each sign weighs; lower is likelier. Set by reading, checked on PDNC's development novels."""

    gap: int = 4  # paragraphs of narration that end a conversation
    beside: int = 2  # paragraphs between words and their answer
    window: int = 6  # paragraphs before it whose people may speak
    crowd: int = 12  # candidates at most
    far: float = 0.15  # for each paragraph since last heard of
    furthest: int = 10
    later: float = 4.0  # only mentioned afterwards
    unsure: float = 0.7  # of a gender nobody told
    calls_self: float = 6.0
    speaks_of_self: float = 1.5
    introduces: float = -6.0
    called: float = -2.5  # by the turn before
    calls_back: float = -1.0  # by the turn after
    spoken_to: float = -2.0
    acts: float = -3.0
    acts_not: float = 2.0
    acted: float = -0.8  # in the narration just before
    told_of: float = -1.0  # named last before the words, in their paragraph, where the tag is `he`
    again: float = 3.0  # speaks twice running
    again_after: float = 0.8  # the same with narration between
    in_turn: float = -1.2  # speaks every other turn
    breaks_in: float = 1.5  # another than before, where the tag is `he added`
    stranger: float = 1.2  # `the old lady` is nobody we know by name
    unheard: float = -0.5  # words in a run of them, where only one of those who talk is known, are nobody's unless it is that one's turn


@dataclass(frozen=True, slots=True)
class DialogueSettings:
    """When the teller is one of the people, and when a name is the teller's."""

    first_person: int = 3  # uses of `I` in the narration
    calls: int = 1  # by those the teller talks with, more than the name is used otherwise
    lead: float = 2.0


@dataclass(frozen=True, slots=True)
class ParticipantSettings:
    """How long a parting takes, and what is still the beginning."""

    parting: int = 3  # lines by others in which goodbyes may be said
    opening: int = 3  # lines in which greetings are how a talk begins
    silence: int = 4  # lines by others in which somebody who is there would have said a word
    ending: int = 2  # as many are enough where the talk ends before a word is said
    last_words: int = 14  # words at the end of a line in which a parting that is no sign alone may stand
    farewells: int = 2  # goodbyes by name to somebody then silent, after which they have gone
    spoken_of: int = 1  # lines after somebody's last words in which he or she is whoever has just gone
    late: int = 6  # lines before somebody's first words, after which they were not there from the first


@dataclass(frozen=True)
class AbsenceSettings:
    """When whoever says nothing in a scripted talk is away. The weights of `absences.json` were learned (`training/absence_odds.py`)."""

    joins: float = -2.25  # logarithm of odds above which somebody was not there before their first line
    away: float = -1.75  # above it they were away between two lines
    gone: float = -0.5  # above it they are not there after their last line
    least: float = 3e-3  # a likelihood below which silences are not told apart
    shortest: int = 3  # lines by others: whoever says nothing for less is taken to be there
    talk: int = 7  # lines: in shorter talks cues alone decide


@dataclass(frozen=True)
class MarkSettings:
    """How sure is sure enough; set by cross-validation."""

    event: float = 0.30
    entity: float = 0.42


@dataclass(frozen=True, slots=True)
class DoubtSettings:
    """How likely a record must be right to be written, by its class; 0: all are. The weights of `doubts.json` were learned (`training/doubts.py`)."""

    state: float = 0.65
    event: float = 0.65
    detail: float = 0.45
    speech: float = 0.0
    others: float = 0.55  # times, causes, steps, who saw what
    lines: int = 20  # told and said: a shorter unit is no chapter, and nothing of it is weighed


@dataclass(frozen=True, slots=True)
class AheadSettings:
    """When a second process pays, and how far it may run ahead."""

    from_characters: int = 200_000  # it needs a second to start, in which a short text is read
    pipe_bytes: int = 1 << 20


@dataclass(frozen=True, slots=True)
class ConsolidationSettings:
    """``lines_per_call`` bounds a question, ``most_calls`` the whole; candidates beyond that wait."""

    lines_per_call: int = 120
    most_calls: int = 8


@dataclass(frozen=True, slots=True)
class ReadingSettings:
    """How a model reads.

    ``jobs``: questions under way at once; they change the pace, never the result. ``plotlines_every``: how many units lie
    between two consolidations; 0: one after the last unit, None: none at all. ``small``: questions for small models.
    ``details``: one more question for each unit, about particulars and what does not fit with the chapters before.
    """

    jobs: int = 1
    summaries: bool = True
    plotlines_every: int | None = 0
    small: bool = False
    details: bool = False


@dataclass(frozen=True, slots=True)
class DeskSettings:
    """How questions are lent to whoever answers them."""

    loan: float = 1_800.0  # seconds for which a question is lent
    pause: float = 0.02  # seconds between two looks at a busy desk


@dataclass(frozen=True, slots=True)
class PriorSettings:
    """How much of what came before is told: facts about those in the passage, and the open threads that moved last.

    ``remembered``: known facts that the stage of details is shown, and ``shares`` the places of each rank among them: lasting
    particulars of those present, of others, dates, minds and presence, other states, deeds, what is known of others. ``recognised``: respects by which people are told apart, beside their kin; ``about``: how many of these go with a name.
    """

    facts: int = 60
    threads: int = 60
    remembered: int = 150
    shares: tuple[int, ...] = (74, 16, 8, 8, 30, 8, 6)
    at_a_turn: int = 5  # facts of a person to one of a thing
    least: tuple[str, ...] = (
        "gender",
        "marriage",
        "habit",
        "obligation",
        "duration",
        "quantity",
        "price",
        "money",
        "weather",
    )  # told last of an owner: seldom what a chapter gets wrong
    recognised: tuple[str, ...] = ("occupation", "rank", "alive")
    about: int = 2


@dataclass(frozen=True, slots=True)
class CandidateBounds:
    """At most so many candidates, latest scenes of each, and lines of a scene."""

    candidates: int = 40
    scenes: int = 12
    lines: int = 6


@dataclass(frozen=True, slots=True)
class Estimates:
    """How we guess; measured on English novels against o200k (chars/4 was -2 … +7 % off)."""

    bytes_per_token: float = 4.0
    safety: float = 1.05
    lists: float = 0.25  # known people, facts and threads beside a passage, as a share of it
    repaired: float = 0.25  # share of questions that we expect to pay a second time, at worst
    units_per_consolidation: int = 3  # of which one question asks for the plotlines
    consolidated_tokens: int = 3_000  # of the scenes in such a question


@dataclass(frozen=True, slots=True)
class EmbeddedSection:
    """How the embedded reader judges."""

    quotations: QuotationSettings = field(default_factory=QuotationSettings)
    document: DocumentSettings = field(default_factory=DocumentSettings)
    name_spans: NameSpanSettings = field(default_factory=NameSpanSettings)
    cast: CastSettings = field(default_factory=CastSettings)
    misspelt: MisspeltSettings = field(default_factory=MisspeltSettings)
    strangers: StrangerSettings = field(default_factory=StrangerSettings)
    two_names: TwoNamesSettings = field(default_factory=TwoNamesSettings)
    owners: OwnerSettings = field(default_factory=OwnerSettings)
    introduced: IntroducedSettings = field(default_factory=IntroducedSettings)
    ranker: RankerSettings = field(default_factory=RankerSettings)
    attribution: AttributionSettings = field(default_factory=AttributionSettings)
    dialogue: DialogueSettings = field(default_factory=DialogueSettings)
    participants: ParticipantSettings = field(default_factory=ParticipantSettings)
    absences: AbsenceSettings = field(default_factory=AbsenceSettings)
    marks: MarkSettings = field(default_factory=MarkSettings)
    doubts: DoubtSettings = field(default_factory=DoubtSettings)
    parse_ahead: AheadSettings = field(default_factory=AheadSettings)
