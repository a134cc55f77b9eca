"""Through whose eyes: the one place where a world becomes what one mind could tell of it."""

from narraworld.query.eyes.mind import MindWorld, as_one, mind_of
from narraworld.query.eyes.verbs import AUTHORS, THROUGH_EYES, AuthorsOnly, for_authors

__all__ = ["AUTHORS", "THROUGH_EYES", "AuthorsOnly", "MindWorld", "as_one", "for_authors", "mind_of"]
