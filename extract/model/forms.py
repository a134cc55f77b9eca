"""What every answer of a model is made of: strict classes whose schema says the shape alone, and answers that can be narrowed.

Pure: pydantic and nothing else.
"""

from __future__ import annotations

from functools import cache
from typing import Any, ClassVar, get_type_hints

from pydantic import BaseModel, ConfigDict, GetJsonSchemaHandler, create_model
from pydantic_core import CoreSchema

__all__ = ["StageAnswer", "Strict", "some_fields"]


class Strict(BaseModel):
    """Nothing beyond what was asked for.

    Its schema says the shape and no more: what the fields mean stands in the prompt, once, and what may be null may be
    left out. That is a third of the tokens; an answer that says null is taken all the same.
    """

    model_config = ConfigDict(extra="forbid")
    titled: ClassVar[bool] = (
        True  # clients want a title of a whole answer; of what lies inside it costs tokens
    )

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        schema = handler(core)
        shape = handler.resolve_ref_schema(schema)
        shape.pop("description", None)
        if not cls.titled:
            shape.pop("title", None)
        shape["properties"] = {name: _bare(one) for name, one in shape.get("properties", {}).items()}
        return schema


def _bare(field: dict[str, Any]) -> dict[str, Any]:
    """A field's schema without its words, its default and its null."""
    kept = {key: value for key, value in field.items() if key not in ("title", "description", "default")}
    others = [one for one in kept.get("anyOf", ()) if one.get("type") != "null"]
    return others[0] if len(others) == 1 else kept


class StageAnswer(Strict):
    """An answer made of lists. A question may ask for some of them alone: then its class is a narrowed one."""

    whole: ClassVar[type[StageAnswer] | None] = None  # of a narrowed class, the one it was narrowed from
    only: ClassVar[tuple[str, ...]] = ()  # and to what

    @classmethod
    def narrowed(cls, *names: str) -> type[StageAnswer]:
        """The answer with no other lists than these."""
        return _narrowed(cls, tuple(sorted(names)))

    @classmethod
    def _fields(cls, names: tuple[str, ...]) -> dict[str, Any]:
        return some_fields(cls, names)


@cache
def _narrowed(whole: type[StageAnswer], names: tuple[str, ...]) -> type[StageAnswer]:
    made = create_model(whole.__name__, __base__=StageAnswer, **whole._fields(names))
    made.whole, made.only = whole, names
    return made


def some_fields(model: type[BaseModel], names: tuple[str, ...]) -> dict[str, Any]:
    """The fields of a model that have these names, as `create_model` takes them."""
    hints = get_type_hints(model, include_extras=True)
    return {name: (hints[name], field) for name, field in model.model_fields.items() if name in names}
