"""The weights of the small encoder as they ship, and back from there. Teaches nothing; `encoder.py` does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from transformers import BertModel

__all__ = ["UPPER", "earlier", "keep", "lesson", "with_lesson"]

PLACES = 320  # pieces of the longest row
UPPER = 4  # the layer from which on a lesson may have its own

DENSE = {
    "query": "attention.self.query", "key": "attention.self.key", "value": "attention.self.value",
    "out": "attention.output.dense", "inner": "intermediate.dense", "outer": "output.dense",
}  # fmt: skip
HEADS = {"heads.answers": "answers", "heads.absences": "absences", "parts": "parts"}  # those that are used


def keep(weights: Mapping[str, torch.Tensor], path: Path) -> None:
    """As they ship: matrices in eight bits with a scale for each row, everything else in sixteen."""
    state = {name: value.detach().numpy() for name, value in weights.items()}
    kept: dict[str, np.ndarray] = {}
    _eighths(kept, "words", state["bert.embeddings.word_embeddings.weight"])
    kept["places"] = state["bert.embeddings.position_embeddings.weight"][:PLACES].astype(np.float16)
    kept["kinds"] = state["bert.embeddings.token_type_embeddings.weight"].astype(np.float16)
    _norm(kept, state, "bert.embeddings.LayerNorm", "words.norm")
    for layer in range(6):
        _layer(kept, state, f"bert.encoder.layer.{layer}.", f"{layer}.")
    for there, name in HEADS.items():
        for part in ("weight", "bias"):
            kept[f"{name}.{part}"] = state[f"{there}.{part}"].astype(np.float16)
    _write(kept, path)


def with_lesson(
    shipped: Path, out: Path, name: str, weights: Mapping[str, torch.Tensor], model: BertModel
) -> None:
    """What ships, number by number, and upper layers and a head of one lesson beside it, in place of earlier ones of that name."""
    state = {there: value.detach().numpy() for there, value in weights.items()}
    with np.load(shipped) as there:
        kept = {one: there[one] for one in there.files if not one.startswith((f"{name}.", "moves."))}
    kept["places"] = model.embeddings.position_embeddings.weight.detach().numpy()[:PLACES].astype(np.float16)
    for layer in range(UPPER, 6):
        _layer(kept, state, f"layers.{layer - UPPER}.", f"{name}.{layer}.")
    for part in ("weight", "bias"):
        kept[f"{name}.{part}"] = state[f"head.{part}"].astype(np.float16)
    _write(kept, out)


def _write(kept: Mapping[str, np.ndarray], path: Path) -> None:
    np.savez(path, **kept)
    print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")


def _layer(kept, state, there: str, name: str) -> None:
    for part, dense in DENSE.items():
        _eighths(kept, f"{name}{part}.weight", state[f"{there}{dense}.weight"])
        kept[f"{name}{part}.bias"] = state[f"{there}{dense}.bias"].astype(np.float16)
    _norm(kept, state, f"{there}attention.output.LayerNorm", f"{name}out.norm")
    _norm(kept, state, f"{there}output.LayerNorm", f"{name}outer.norm")


def _eighths(kept, name: str, full: np.ndarray) -> None:
    scale = np.maximum(np.abs(full).max(axis=1, keepdims=True) / 127, 1e-8).astype(np.float16)
    kept[f"{name}:eighths"] = np.round(full / scale.astype(np.float32)).clip(-127, 127).astype(np.int8)
    kept[f"{name}:scale"] = scale


def _norm(kept, state, there: str, name: str) -> None:
    for part in ("weight", "bias"):
        kept[f"{name}.{part}"] = state[f"{there}.{part}"].astype(np.float16)


def earlier(path: Path) -> dict[str, torch.Tensor]:
    """The weights to go on from: as torch wrote them, or as they ship. What is not among them stays as the model has it."""
    if path.suffix == ".pt":
        return torch.load(path)
    kept = np.load(path)
    state = {name: _in_full(kept, there) for name, there in _kept_as().items() if _is_there(kept, there)}
    return {name: torch.tensor(value, dtype=torch.float32) for name, value in state.items()}


def lesson(path: Path, name: str) -> dict[str, torch.Tensor]:
    """The upper layers and the head of a lesson that ships, to go on from; nothing if there is none of that name."""
    with np.load(path) as kept:
        if f"{name}.{UPPER}.out.bias" not in kept:
            return {}
        names = {f"head.{part}": f"{name}.{part}" for part in ("weight", "bias")}
        for layer in range(UPPER, 6):
            names |= _parts(_layer_as(f"layers.{layer - UPPER}.", f"{name}.{layer}."))
        return {there: torch.tensor(_in_full(kept, own), dtype=torch.float32) for there, own in names.items()}


def _kept_as() -> dict[str, str]:
    """What ships under which name, but for embeddings, which no lesson changes."""
    names = dict(HEADS)
    for layer in range(6):
        names |= _layer_as(f"bert.encoder.layer.{layer}.", f"{layer}.")
    return _parts(names)


def _layer_as(there: str, own: str) -> dict[str, str]:
    dense = {f"{there}{part}": f"{own}{name}" for name, part in DENSE.items()}
    return dense | {
        f"{there}attention.output.LayerNorm": f"{own}out.norm",
        f"{there}output.LayerNorm": f"{own}outer.norm",
    }


def _parts(names: Mapping[str, str]) -> dict[str, str]:
    return {f"{there}.{part}": f"{own}.{part}" for there, own in names.items() for part in ("weight", "bias")}


def _is_there(kept, name: str) -> bool:
    return name in kept or f"{name}:eighths" in kept


def _in_full(kept, name: str) -> np.ndarray:
    if name in kept:
        return kept[name].astype(np.float32)
    return kept[f"{name}:eighths"].astype(np.float32) * kept[f"{name}:scale"].astype(np.float32)
