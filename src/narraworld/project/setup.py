"""From a project's settings to the frame of its world: rules, switches, calendar, limits. A wrong switch is refused here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from narraworld.project.file import FILE, BadSettings, ProjectSettings
from narraworld.rules.engines import Limits
from narraworld.rules.living.living_world import SWITCHES, WorldSetup, switches_in

if TYPE_CHECKING:
    from narraworld.rules.language.program import RuleBook

__all__ = ["frame_of"]


def frame_of(settings: ProjectSettings, program: RuleBook | None = None) -> WorldSetup:
    """What the settings decide; ``program`` is the shipped rules and the project's own unless given."""
    from narraworld.kb.time.calendar_file import GREGORIAN, calendar_from
    from narraworld.rules.language.program import load_builtin

    program = program or load_builtin(settings.rule_files)
    _check_switches(settings.on | settings.off, SWITCHES | switches_in(program))
    limits = Limits(**{key: type(getattr(Limits(), key))(value) for key, value in settings.limits.items()})
    return WorldSetup(
        program,
        SWITCHES - settings.off | settings.on,
        calendar_from(settings.calendar) if settings.calendar else GREGORIAN,
        limits=limits,
        respects=settings.respects,
    )


def _check_switches(asked: frozenset[str], known: frozenset[str]) -> None:
    from narraworld.kb.errors import did_you_mean

    for name in sorted(asked - known):
        fix = did_you_mean(name, known) or f"known are: {', '.join(sorted(known))}"
        raise BadSettings(f"no rule asks for the switch {name!r}", where=FILE, fix=fix)
