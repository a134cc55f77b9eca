"""What memory looks for, what counts how much, and how findings are ranked. Pure values; imports nothing of ours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace

from narraworld.base.quick_dataclass import dataclass

__all__ = [
    "AlignedSettings",
    "Bm25",
    "CheckingSection",
    "ChoosingSettings",
    "DeedSettings",
    "FoundSettings",
    "InWordsSettings",
    "JudgeSettings",
    "MemorySection",
    "MemorySwitches",
    "PackingSettings",
    "PlanSettings",
    "PreviewSettings",
    "Ranking",
    "RetrievalSettings",
    "Scale",
    "Weights",
]


@dataclass(frozen=True, slots=True)
class Bm25:
    """How often and how long a document says it; ``boosts`` weigh the fields."""

    k1: float = 1.0
    b: float = 0.6
    boosts: Mapping[str, float] = field(default_factory=lambda: {"words": 1.0, "about": 1.0})


@dataclass(frozen=True, slots=True)
class MemorySwitches:
    """Parts of memory that can be left out, as in the paper's ablations.

    ``beliefs`` and ``possibilities`` are B and H; ``cross_event`` is everything that links events (causes, threads,
    scenes, plotlines); without ``planning`` the request itself is the only query. ``possibilities_for_questions`` lets H in
    where a question is answered rather than a scene written; `for_purpose` decides, so retrieval reads the first four.
    """

    beliefs: bool = True
    possibilities: bool = True
    cross_event: bool = True
    planning: bool = True
    possibilities_for_questions: bool = False

    def for_purpose(self, purpose: str) -> MemorySwitches:
        """The same with H decided: a question is not answered with what may yet come, unless that is asked for."""
        wanted = self.possibilities and (purpose != "question" or self.possibilities_for_questions)
        return replace(self, possibilities=wanted)


@dataclass(frozen=True, slots=True)
class Scale:
    """A kind of stretch: so many sentences to either side (None: the whole unit), and what it counts by word and by meaning."""

    sides: int | None
    word: float
    meaning: float


@dataclass(frozen=True, slots=True)
class Weights:
    """What counts how much. Round numbers, chosen once on three LoCoMo conversations; all of them can be changed."""

    word: float = 0.5  # shares a rare word with the request
    meaning: float = 0.5  # says something alike in other words
    holder: float = 0.2  # said, done or held by somebody the request is about
    name: float = 0.1  # names somebody or something the request is about
    evidence: float = 0.3  # another record that quotes the same words is good
    scene: float = 0.1  # the scene is good
    before: float = 0.1  # what stands just before is good: an answer follows its question
    after: float = 0.05
    focal: float = 0.25  # on the mind of a focal character
    goal: float = 0.6  # answers a rule query of a need
    so_far: float = 2.5  # tells in a sentence or two how the scene came about that is to be written
    beside_sums: float = 0.4  # of the worth of a sentence of the text, where scenes are summed up beside it
    standing: float = 0.6  # of the worth of a fact of the world there: looks and places matter least
    other_names: float = 1.3  # says under which other name somebody goes whom it is about
    private: float = 1.3  # says in a line who of a scene knows of a matter and who does not
    fading: float = 0.97  # what is left of that for each scene before the last
    linked: float = 0.5  # is cause, thread or part of something good, as a share of its worth
    scales: tuple[Scale, ...] = (
        Scale(0, 1.0, 0.5), Scale(1, 1.0, 0.5), Scale(3, 1.0, 0.0), Scale(None, 2.0, 0.5),
    )  # fmt: skip
    covers: float = 1.0  # a passage, with what stands beside it, has every word of the request
    unnamed: float = 0.25  # a passage is about somebody the request names, and does not say the name
    shows: float = 0.5  # a passage has what the question asks for: a number, a time, a reason
    alone: float = 4.0  # so much more does that count where a question has names and no other word; less with each word it has
    telling: float = 0.5  # a passage says more than a word or two
    enough: int = 12  # telling words that are enough
    record: float = 0.7  # the best record by its own words, beside the best passage
    bm25: Bm25 = field(default_factory=Bm25)


@dataclass(frozen=True, slots=True)
class RetrievalSettings:
    """How widely to look, and what counts how much."""

    weights: Weights = field(default_factory=Weights)
    switches: MemorySwitches = field(default_factory=MemorySwitches)
    candidates: int = 300  # records told as items
    seeds: int = 24  # best records whose company is fetched through the rules
    per_need: int = 8  # records of search that count as serving a need
    per_goal: int = 40  # answers of one rule query
    per_character: int = 12  # threads and false beliefs of one focal character
    matters: int = 30  # private matters of the people of a scene
    scenes: int = 20  # latest scenes told in a sentence or two, where a scene is to be written

    @classmethod
    def for_budget(cls, budget: int, switches: MemorySwitches | None = None) -> RetrievalSettings:
        """Enough records to choose from, and not many more."""
        return cls(
            switches=switches or MemorySwitches(),
            candidates=min(60 + budget // 8, 2000),
            scenes=max(budget // 75, 1),
        )


@dataclass(frozen=True, slots=True)
class FoundSettings:
    """How many stretches of sentences are shown, how long they may be, and how ranking weighs."""

    shown: int = 3
    listed: int = 20  # sentences that a search lists
    longest: int = 200  # characters up to which a sentence is shown with those beside it
    sides: int = 3  # sentences beside it, on each side
    weights: Weights = field(default_factory=Weights)


@dataclass(frozen=True, slots=True)
class DeedSettings:
    """How far words may stand apart, and how long they may be, where a question about a deed is answered from its sentence."""

    near: int = 4  # sentences on either side in which the words may stand that only say when or where
    named: int = 6  # words before a verb in which a subject that is nobody's name must stand
    most: int = 2  # different answers; where there are more, none is given
    far: int = 6  # words between a name and the verb it is the subject of
    fragment: int = 6  # words of a sentence that has no verb of its own
    phrase: int = 8  # words of a phrase of place
    object: int = 12  # words of what a verb is done to
    pronoun: int = 4  # sentences before one, in which somebody may be named whom a pronoun means
    owned: int = 4  # words between an owner and what is theirs
    which: int = 2  # words beside the noun of `which` that a sentence must have
    stand_in: int = 3  # words behind a verb, among which a pronoun stands for what it is done to
    receiver: int = 4  # words of whoever gets what is given or told
    subject: int = 7  # words of a question's subject
    noun: int = 3  # words of the noun behind which, whose and how many
    enough: float = 0.75  # of the words of a question that stand near one that is asked in the story
    patience: int = 3  # sentences in which a reply must begin
    accounted: float = 0.6  # of a question's words, the rarer counting more, that stand where words of the wanted kind answer it
    margin: float = 0.1  # so much better than any other answer of that kind must the best be
    apart: float = 0.8  # what a word counts that stands in another clause than the answer
    said: float = 0.9  # how sure it is beside the telling where somebody only says it
    bare: float = 0.8  # how sure a number is that counts nothing named behind it
    beside: int = 2  # sentences on either side whose words count half
    joined: int = 4  # letters of a word that may be the end of another


@dataclass(frozen=True, slots=True)
class AlignedSettings:
    """How a question is laid beside sentences, and how sure an answer must be that was found so. The weights of `weights.json` were learned
    with these: whoever changes how sure a word stands somewhere should learn them anew.
    """

    read: int = 24  # nearest to the question, which the encoder reads beside it
    encoder: float = 0.12  # what the odds count that a sentence answers, beside how near it is
    least: float = 1e-4  # a likelihood below which nothing is told apart
    sentences: int = 14  # the first of those, in which an answer is looked for
    words: int = 2  # telling words that a question must have: one alone fits any sentence that has it, and the parser takes long to load
    sure: float = 0.55  # how likely an answer must be, with all that say the same
    answers: float = 0.1  # what it counts, beside how near a sentence is, how likely it holds the answer
    form: float = 0.95  # how surely a word stands where another form of a verb does
    like: float = 0.8  # where a verb much like it does, or a word joined with it
    close: float = 0.9  # where a word does that is near to it by its vector, of that nearness
    closest: float = (
        0.35  # nearness by their vectors below which two words have nothing to do with one another
    )
    myself: float = 0.8  # a name, where somebody of that name says I
    pronoun: float = 0.7  # where a pronoun may mean them
    enough: float = 0.6  # a name that stands so surely is not looked for among pronouns
    beside: float = 0.35  # where it only stands in a sentence beside
    sides: int = 2  # sentences on either side


@dataclass(frozen=True, slots=True)
class InWordsSettings:
    """What a mind is shown that answers a question in words, and how far its words may go beyond that."""

    tokens: int = 2000  # of the lines it is shown
    minds: float = 0.22  # of these, at most, who holds what
    records: float = 0.12  # at most, what follows from records and rules besides; the rest is the text
    read: int = 48  # sentences that the encoder reads beside the question
    rank: int = 10  # a piece of the text is worth one over this and its rank
    sides: int = 3  # sentences beside a near one, on each side
    fade: float = 0.75  # what is left of its worth with each step aside
    learned: float = 0.5  # what the question's own words count, beside what search thinks of the records
    quoted: int = 60  # letters of the words by which somebody came by something
    vocabulary: int = 24  # predicates, kinds and roles each, for a query
    rests_on: int = 6  # lines that an answer may name
    own_words: float = 0.5  # of an answer's telling words, the share that may be its own
    known: float = 0.5  # of the words for what somebody is asked to know, a yes rests on more than this
    answer: int = 120  # tokens of an answer, for the forecast


@dataclass(frozen=True, slots=True)
class ChoosingSettings:
    """What a mind is shown that names the lines which the next scene needs, and how much it may name."""

    tokens: int = 8000  # of the lines it is shown
    developments: float = 0.2  # of these, at most, what happened scene by scene and what is under way
    minds: float = 0.25  # at most, who holds what
    records: float = 0.1  # at most, what follows from records and rules besides; the rest is the text
    candidates: int = 600  # records that retrieval tells as items, to be shown
    scenes: int = 60  # latest scenes that are summed up
    matters: int = 400  # matters on minds that are looked at
    people: int = 6  # for whom it is said in a line what of others' secrets nothing says that they know
    unknown: int = 4  # matters in such a line
    latest: int = 40  # sentences that were told last
    piece: int = 220  # letters of a piece of the text, of sentences that follow one another
    rank: int = 10  # a sentence is worth one over this and its place in the order of each way of finding it
    sides: int = 2  # sentences beside a near one, on each side
    fade: float = 0.5  # what is left of its worth with each step aside
    needs: int = 16  # that it may write down
    rests_on: int = 6  # lines that it may name for each
    named: float = 100.0  # what the first line of a need is worth in packing, half of it the second
    again: float = 10.0  # what the first line is worth that is found for a need which nothing shown meets
    found: int = 2  # lines that are taken for such a need
    answer: int = 1200  # tokens of an answer, for the forecast


@dataclass(frozen=True, slots=True)
class PlanSettings:
    """How far a planner looks beyond what the request names."""

    focal: int = 4
    recovered: int = 2  # characters added to those named, or to those who were there last
    things: int = 6
    threads: int = 8
    minds: int = 3  # focal characters, and things, whose every pair is looked at
    switches: MemorySwitches = field(default_factory=MemorySwitches)


@dataclass(frozen=True, slots=True)
class PackingSettings:
    """How the budget is spent."""

    budget: int = 4000  # tokens of a context where nobody says how many
    need: float = 0.5  # what it is worth to be the first to meet a need
    repeated: float = 0.6  # what is left of an item's worth when all its words have been quoted already
    thrift: float = 0.2  # how much dearer a long line is: worth is divided by its tokens to this power
    heading: float = 0.5  # how much of what a new heading costs the first line under it bears


@dataclass(frozen=True, slots=True)
class PreviewSettings:
    """How much of each kind a preview tells one by one."""

    characters: int = 24
    names: int = 120
    things: int = 24
    threads: int = 24
    options: int = 8
    chapters: int = 8
    ranges: int = 12
    events: int = 12
    traits: int = 4
    title: int = 120  # letters of a title or a summary


@dataclass(frozen=True, slots=True)
class Ranking:
    """How much a finding weighs: by gravity, by who decides, and less where one rule speaks up everywhere."""

    severity: Mapping[str, float] = field(
        default_factory=lambda: {"error": 100.0, "warning": 50.0, "note": 10.0}
    )
    verdict: Mapping[str, float] = field(
        default_factory=lambda: {"decides": 1.0, "explicit half": 0.9, "nominates": 0.6, "judge": 0.4}
    )
    crowd: int = 5  # findings of one rule beyond which each further one counts for less


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """How much `check --judge` may ask: pairs in all, pairs in a question, pairs of one cause and of one list of the style sheet.

    ``around``: sentences shown on either side of a passage; ``proof``: characters of a proof; ``answer``: tokens of a verdict, for the forecast.
    """

    most_pairs: int = 48
    batch: int = 8
    of_cause: int = 2
    of_list: int = 2
    around: int = 1
    proof: int = 600
    answer: int = 60


@dataclass(frozen=True, slots=True)
class MemorySection:
    """What memory looks for and how a budget is spent."""

    bm25: Bm25 = field(default_factory=Bm25)
    retrieval: RetrievalSettings = field(default_factory=RetrievalSettings)
    planning: PlanSettings = field(default_factory=PlanSettings)
    packing: PackingSettings = field(default_factory=PackingSettings)
    preview: PreviewSettings = field(default_factory=PreviewSettings)
    found: FoundSettings = field(default_factory=FoundSettings)
    deeds: DeedSettings = field(default_factory=DeedSettings)
    aligned: AlignedSettings = field(default_factory=AlignedSettings)
    in_words: InWordsSettings = field(default_factory=InWordsSettings)
    choosing: ChoosingSettings = field(default_factory=ChoosingSettings)


@dataclass(frozen=True, slots=True)
class CheckingSection:
    """How findings are ranked, and how much a judge is asked."""

    ranking: Ranking = field(default_factory=Ranking)
    judge: JudgeSettings = field(default_factory=JudgeSettings)
