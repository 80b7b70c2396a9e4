"""Runs inside the sandbox: code comes in as lines of JSON, what it did goes out as lines of JSON.

Only the standard library, and nothing of this package, is there. The file is sent as text.
"""

import ast
import base64
import importlib
import io
import json
import linecache
import os
import sys
import traceback
import warnings
from typing import Any

Reply = dict[str, Any]

_MOST_PLOTS = 8
_MOST_PLOT_BYTES = 4 * 1024 * 1024
_MOST_VALUE = 20_000


class Capture:
    """Everything written to a descriptor, by Python or by a child, up to a limit."""

    def __init__(self, descriptor: int, limit: int) -> None:
        self._descriptor = descriptor
        self._limit = limit
        self._file = open(os.memfd_create("capture"), "r+b", buffering=0)  # noqa: SIM115
        os.dup2(self._file.fileno(), descriptor)

    def take(self) -> tuple[str, int]:
        """What was written since the last time, and how many bytes of it were dropped."""
        size = os.fstat(self._descriptor).st_size
        self._file.seek(0)
        data = self._file.read(self._limit)
        self._file.seek(0)
        os.ftruncate(self._descriptor, 0)
        return data.decode("utf-8", "replace"), max(0, size - self._limit)


def execute(code: str, name: str, variables: Reply) -> Reply:
    """Run a cell. The value of a last expression is shown as in a notebook."""
    # So that a traceback can show the cell's lines.
    linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
    try:
        tree = ast.parse(code, name)
        last = tree.body[-1] if tree.body else None
        if not isinstance(last, ast.Expr):
            exec(compile(tree, name, "exec"), variables)
            return {}
        tree.body.pop()
        exec(compile(tree, name, "exec"), variables)
        value = eval(compile(ast.Expression(last.value), name, "eval"), variables)
        if value is None:
            return {}
        variables["_"] = value
        return {"value": shown(value), "pictures": pictures(value)}
    except SystemExit as end:
        return {} if end.code in (None, 0) else {"error": f"SystemExit: {end.code}"}
    except BaseException as error:
        return {"error": explain(error, name)}


def shown(value: Any) -> str:
    """The value's repr, cut where it is long."""
    text = repr(value)
    if len(text) <= _MOST_VALUE:
        return text
    return f"{text[:_MOST_VALUE]}… cut: {_MOST_VALUE} of {len(text)} characters are shown."


def explain(error: BaseException, name: str) -> str:
    """The traceback without the frames of this driver."""
    rows = traceback.extract_tb(error.__traceback__)
    first = next((n for n, row in enumerate(rows) if row.filename.startswith("<cell")), len(rows))
    lines = traceback.format_list(rows[first:])
    head = ["Traceback (most recent call last):\n"] if lines else []
    return "".join([*head, *lines, *traceback.format_exception_only(error)]).rstrip()


def prepare(libraries: list[str]) -> None:
    """Import what the next cell will: that takes seconds which are not the cell's."""
    folder, sys.path[0:1] = sys.path[0:1], []
    for library in libraries:
        try:
            importlib.import_module(library)
        except Exception:
            # The cell itself will say so.
            continue
    sys.path[0:0] = folder


def pictures(value: Any) -> list[bytes]:
    """A Pillow picture as PNG."""
    pillow = sys.modules.get("PIL.Image")
    if pillow is None or not isinstance(value, pillow.Image):
        return []
    buffer = io.BytesIO()
    value.save(buffer, format="PNG")
    return [buffer.getvalue()]


def plots() -> list[bytes]:
    """Open matplotlib figures as PNG; they are closed."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is None:
        return []
    numbers = pyplot.get_fignums()
    drawn = []
    try:
        for number in numbers[:_MOST_PLOTS]:
            buffer = io.BytesIO()
            pyplot.figure(number).savefig(buffer, format="png")
            drawn.append(buffer.getvalue())
    finally:
        # Also one that cannot be drawn: the next cell would fail of it again.
        pyplot.close("all")
    return drawn + [b""] * (len(numbers) - len(drawn))


def attach(reply: Reply) -> None:
    """Put the cell's pictures into the reply, and the number of those that are left out."""
    drawn = [*reply.pop("pictures", []), *plots()]
    kept = [one for one in drawn if 0 < len(one) <= _MOST_PLOT_BYTES][:_MOST_PLOTS]
    reply["plots"] = [base64.b64encode(one).decode() for one in kept]
    reply["plots_left_out"] = len(drawn) - len(kept)


def main(limit: int) -> None:
    """Answer each line of standard input."""
    requests = os.fdopen(os.dup(0), encoding="utf-8")
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    captures = {"stdout": Capture(1, limit), "stderr": Capture(2, limit)}
    sys.stdout = open(1, "w", encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115
    sys.path.insert(0, os.getcwd())
    # Whoever calls plt.show() gets the picture.
    warnings.filterwarnings("ignore", message=".*is non-interactive, and thus cannot be shown")
    variables: Reply = {"__name__": "__main__", "__builtins__": __builtins__}
    for number, line in enumerate(requests, 1):
        request = json.loads(line)
        prepare(request["libraries"])
        for capture in captures.values():
            capture.take()
        replies.write(json.dumps({"ready": number}) + "\n")
        replies.flush()
        # Nobody is there to type, and exit() closes it.
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
        reply = execute(request["code"], f"<cell {number}>", variables)
        try:
            attach(reply)
        except Exception as error:
            reply["error"] = explain(error, "")
        for stream in (sys.stdout, sys.stderr):
            # The code may have closed or replaced them.
            try:
                stream.flush()
            except (ValueError, OSError, AttributeError):
                continue
        for name, capture in captures.items():
            reply[name], reply[f"{name}_cut"] = capture.take()
        replies.write(json.dumps(reply) + "\n")
        replies.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]))
