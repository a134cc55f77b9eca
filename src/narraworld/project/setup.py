"""From a project's settings to the frame of its world: rules, switches, calendar, limits. A wrong switch is refused here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from narraworld.project.file import FILE, BadSettings, ProjectSettings
from narraworld.rules.engines import Limits
from narraworld.rules.living.living_world import SWITCHES, WorldSetup, switches_in, thresholds_in

if TYPE_CHECKING:
    from narraworld.rules.language.program import RuleBook

__all__ = ["frame_of"]


def frame_of(settings: ProjectSettings, program: RuleBook | None = None) -> WorldSetup:
    """What the settings decide; ``program`` is the shipped rules and the project's own unless given."""
    from narraworld.kb.time.calendar_file import GREGORIAN, calendar_from
    from narraworld.rules.language.program import load_builtin

    program = program or load_builtin(settings.rule_files)
    _check_switches(settings.on | settings.off, SWITCHES | switches_in(program))
    _check_thresholds(settings, program)
    limits = Limits(**{key: type(getattr(Limits(), key))(value) for key, value in settings.limits.items()})
    return WorldSetup(
        program,
        SWITCHES - settings.off | settings.on,
        calendar_from(settings.calendar) if settings.calendar else GREGORIAN,
        limits=limits,
        thresholds=tuple(sorted(settings.thresholds.items())),
        respects=settings.respects,
    )


def _check_thresholds(settings: ProjectSettings, program: RuleBook) -> None:
    """A project may only set what has a default, here or in its own rules."""
    from narraworld.kb.errors import did_you_mean

    known = thresholds_in(program)
    for name in sorted(set(settings.thresholds) - known):
        fix = did_you_mean(name, known) or f"known are: {', '.join(sorted(known))}"
        raise BadSettings(f"no rule compares with the threshold {name!r}", where=FILE, fix=fix)


def _check_switches(asked: frozenset[str], known: frozenset[str]) -> None:
    from narraworld.kb.errors import did_you_mean

    for name in sorted(asked - known):
        fix = did_you_mean(name, known) or f"known are: {', '.join(sorted(known))}"
        raise BadSettings(f"no rule asks for the switch {name!r}", where=FILE, fix=fix)
