"""Reads what the worker wrote while signals came."""

from pathlib import Path

got = Path("/collected")


def lines(name):
    return (got / name).read_text().splitlines()


first = lines("first")
done = [line for line in first if line.startswith("done ")]
assert 1 <= len(done) < 6, f"SIGTERM did not stop it: {first}"
assert done == [f"done job {n}" for n in range(1, len(done) + 1)], f"the lines are {first}"
assert first[-1] == f"stopped {len(done)}", f"it ends with {first[-1]!r}"
assert lines("first.code") == ["0"], "it did not exit with 0 after SIGTERM"
second = lines("second")
assert [line for line in second if line.startswith("done ")] == [
    f"done job {n}" for n in range(1, 7)
], f"after a stop the lines are {second}"
assert second[-1] == "finished 6", f"it ends with {second[-1]!r}"
reloaded = lines("third")
assert reloaded.count("reload") == 1, f"SIGHUP gave {reloaded}"
assert [line for line in reloaded if line != "reload"] == [
    "done a",
    "done b",
    "done c",
    "finished 3",
], f"SIGHUP and SIGINT gave {reloaded}"
assert lines("busy.code") == ["3"], "a second worker must exit with 3"
print("The worker is polite.")
