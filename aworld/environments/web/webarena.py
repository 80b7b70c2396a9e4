"""Tasks in WebArena's format (`config_files/*.json`), on sites that are served here.

A file has one task or a list of them, a folder has such files. Beyond WebArena's three kinds of
checks ours know `server_state`: what the sites' server holds in the end, and that nothing else
there was changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from aworld.environments.base import Task
from aworld.environments.web.sites.state import NAMES
from aworld.errors import ConfigurationError

SUITE = "sites"
HOSTS = {name: f"{name}.test" for name in NAMES}
_CHECKS = ("string_match", "url_match", "program_html", "server_state")
_ADVICE = (
    "\n\nUse the browser's actions. Answer with what was asked for and nothing else; with 'done' "
    "where nothing was asked for; with 'N/A' where it cannot be done."
)


def read_tasks(path: Path, suite: str = SUITE) -> Iterator[Task]:
    """The tasks of a file, or of a folder's files in the order of their names.

    Raises:
        ConfigurationError: one cannot be read, or needs a site that is not served here; the text
            names the file and the task.
    """
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    if not files:
        raise ConfigurationError(f"The folder {str(path)!r} has no JSON files with tasks.")
    for file in files:
        try:
            found = msgspec.json.decode(file.read_bytes())
        except (OSError, msgspec.DecodeError, RecursionError) as error:
            raise ConfigurationError(f"{str(file)!r} cannot be read: {error}") from error
        for number, fields in enumerate(found if isinstance(found, list) else [found], 1):
            where = f"{file.name}, task {number}"
            try:
                yield as_task(fields, suite, where)
            except (AttributeError, KeyError, TypeError, ValueError) as error:
                raise ConfigurationError(
                    f"{where}: a field is not as WebArena has it ({error})."
                ) from error


def as_task(fields: Any, suite: str, where: str) -> Task:
    """One task.

    Raises:
        ConfigurationError: a field is missing or means something that is not supported.
    """
    _check(fields, where)
    metadata = fields.get("metadata", {})
    return Task(
        id=str(fields["task_id"]),
        environment="web",
        suite=suite,
        question=fields["intent"] + _ADVICE,
        level=str(metadata.get("level", "")),
        tags=(*fields["sites"], *fields["eval"]["eval_types"]),
        graded=not _needs_judge(fields["eval"]),
        max_steps=int(metadata.get("max_steps", 40)),
        data={"page": "", "webarena": fields},
    )


def place_of(url: str) -> str:
    """An address with the hosts in the place of `__SHOP__` and the like."""
    for name, host in HOSTS.items():
        url = url.replace(f"__{name.upper()}__", f"http://{host}")
    return url


def _check(fields: Any, where: str) -> None:
    if not isinstance(fields, Mapping):
        raise ConfigurationError(f"{where}: a task is an object, not {type(fields).__name__}.")
    for name in ("task_id", "intent", "sites", "start_url", "eval"):
        if name not in fields:
            raise ConfigurationError(f"{where}: the field {name!r} is missing.")
    foreign = [site for site in fields["sites"] if site not in HOSTS]
    if foreign:
        raise ConfigurationError(
            f"{where}: the site {foreign[0]!r} is not served here. There are: {', '.join(HOSTS)}."
        )
    kinds = fields["eval"].get("eval_types", [])
    unknown = [kind for kind in kinds if kind not in _CHECKS]
    if unknown or not kinds:
        raise ConfigurationError(
            f"{where}: eval_types must name some of {', '.join(_CHECKS)}, not {unknown or kinds}."
        )
    for target in fields["eval"].get("program_html") or []:
        if "func:" in target["url"] or target["locator"].startswith("func:"):
            raise ConfigurationError(
                f"{where}: 'func:' calls WebArena's own Python and is not supported."
            )


def _needs_judge(evaluation: Mapping[str, Any]) -> bool:
    """Whether a language model would have to compare the answer."""
    fuzzy = (evaluation.get("reference_answers") or {}).get("fuzzy_match")
    return fuzzy is not None and fuzzy != "N/A"
