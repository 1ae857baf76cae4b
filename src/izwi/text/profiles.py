"""Profiles of connected text as files: those that come with izwi and those users train."""

import json
import math
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from izwi.model.errors import ConfigError
from izwi.text.connected import Profile, Share


def dump_profiles(profiles: Mapping[str, Profile]) -> str:
    """Return profiles as JSON, numbers short."""
    rows = {code: _row(profile) for code, profile in sorted(profiles.items())}
    return json.dumps(rows, ensure_ascii=False, indent=0) + "\n"


def load_profiles(text: str) -> dict[str, Profile]:
    """Return profiles from JSON; ValueError if they are none."""
    try:
        return {code: _profile(code, row) for code, row in json.loads(text).items()}
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"these are no profiles: {error}") from error


@cache
def shipped_profiles() -> Mapping[str, Profile]:
    """Return the profiles that come with izwi, by language."""
    return load_profiles((files("izwi") / "models" / "profiles.json").read_text(encoding="utf-8"))


def profiles_with(path: str, packs: Mapping[str, str]) -> Mapping[str, Profile]:
    """Return the profiles that come with izwi, over them those of packs and those in a file."""
    files = [Path(folder) / "profile.json" for folder in packs.values()]
    given = [file for file in files if file.exists()] + ([Path(path)] if path else [])
    found = dict(shipped_profiles())
    for file in given:
        try:
            found |= load_profiles(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise ConfigError(f"{file} cannot be read as profiles: {error}.") from error
    return found


def shipped_weights() -> Mapping[str, float]:
    """Return what each shortfall counts; the same for all languages that come with izwi."""
    return next(iter(shipped_profiles().values())).weights


def shipped_threshold() -> float:
    """Return how far a text may fall short, as learnt on pages of the web."""
    return min(each.threshold for each in shipped_profiles().values())


def _row(profile: Profile) -> dict[str, Any]:
    return {
        "threshold": _short(profile.threshold),
        "words": _pairs(profile.words),
        "shares": _pairs(profile.shares),
        "weights": {name: _short(weight) for name, weight in profile.weights.items()},
    }


def _pairs(shares: Mapping[str, Share]) -> dict[str, list[float]]:
    return {name: [_short(one.mean), _short(one.variance)] for name, one in shares.items()}


def _profile(code: str, row: Mapping[str, Any]) -> Profile:
    words = {word: Share(*map(float, pair)) for word, pair in row["words"].items()}
    shares = {name: Share(*map(float, pair)) for name, pair in row["shares"].items()}
    weights = {name: float(weight) for name, weight in row["weights"].items()}
    return Profile(code, words, shares, weights, float(row["threshold"]))


def _short(value: float) -> float:
    return float(f"{value:.4g}") if math.isfinite(value) else value
