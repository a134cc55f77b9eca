"""What quoted words must not be taken for: which guards look at which kind of item, in their order.

`told`: plan for deed, sequence for cause, claim for truth or belief, silence for unawareness. `whom`: whether the words are
about those whom the item names. `phrasing`: whether they say what it says. `particular`: the same of details. A guard answers with a reason or nothing, and
decides on the text and on what was kept before; none asks a model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from narraworld.extract.model import schema as given
from narraworld.extract.model.guards import particular, phrasing, told, whom
from narraworld.extract.model.guards.told import doubtful_truths, unsupported_words
from narraworld.extract.model.particulars import ConflictItem, DetailItem
from narraworld.extract.model.refusal_reasons import Reason
from narraworld.kb.spans import TextRange

if TYPE_CHECKING:
    from narraworld.extract.model.grounding import Grounding

__all__ = ["GUARDS", "doubtful_truths", "unsupported_words"]

Guard: TypeAlias = Callable[["Grounding", Any, TextRange], Reason | None]

GUARDS: Mapping[type[given.AnswerItem], tuple[Guard, ...]] = {
    given.EntityItem: (told.name_is_a_name, told.link_agrees, whom.link_is_to_its_name),
    given.NamingItem: (told.alias_is_a_name, whom.name_is_not_anothers),
    given.IdentityItem: (told.two_are_two, whom.two_are_said_to_be_one),
    given.EventItem: (told.deed_not_plan, told.deed_not_speech, phrasing.deed_is_not_denied, whom.doer_is_meant),
    given.CauseItem: (told.cause_is_another, told.cause_is_told, phrasing.cause_as_told),
    given.TimeItem: (told.time_of_something,),
    given.PropositionItem: (
        told.one_content, phrasing.value_is_there, phrasing.polarity_as_told, whom.subject_is_meant, whom.object_is_meant,
    ),
    given.SpeechItem: (told.speech_is_speech, phrasing.question_is_no_claim, whom.speaker_is_attributed),
    given.AccessItem: (told.access_to_something, phrasing.access_is_not_denied, whom.holder_is_meant),
    given.AttitudeItem: (told.belief_not_claim, phrasing.attitude_as_told, whom.holder_is_meant),
    given.UnawarenessItem: (told.access_to_something, told.unawareness_is_told, whom.holder_is_meant),
    given.SecretItem: (told.secret_is_told, whom.holder_is_meant),
    given.PresenceItem: (phrasing.movement_as_told, whom.holder_is_meant),
    given.DevelopmentItem: (phrasing.title_is_supported,),
    given.StepItem: (phrasing.step_as_told,),
    given.PossibilityItem: (told.thread_is_open, phrasing.title_is_supported),
    given.RealisationItem: (phrasing.realised_by_a_deed,),
    given.SummaryItem: (told.summary_of_its_scene,),
    DetailItem: (particular.detail_has_one_value, particular.detail_as_told),
    ConflictItem: (particular.two_passages,),
}  # fmt: skip
