"""Attempts to reach files that are not the workspace's."""

from __future__ import annotations

import zipfile
from pathlib import Path

import msgspec
import pytest

from aworld.sandbox import file_tree
from aworld.sandbox.bubblewrap import Way
from tests.sandbox.escaping import WAYS, Attempt, cases, make, probe

pytestmark = pytest.mark.skipif(probe.way is None, reason=f"{probe.problem} {probe.cure}")
ABSENT = "No such file or directory"
READ_ONLY = "only /workspace and /tmp can be written"
CLOSED = "the system's files are closed to it"
FORBIDDEN = "the sandbox forbids tracing other processes, mounting"

READS = [
    Attempt("its absolute path", "open('SECRET').read()", ABSENT),
    Attempt("a link in the workspace", "open('link').read()", ABSENT),
    Attempt("a link made inside", "import os; os.symlink('SECRET', 'l'); open('l').read()", ABSENT),
    Attempt("a way up", "open('../' * 20 + 'SECRET').read()", ABSENT),
    Attempt("its own root", "open('/proc/self/rootSECRET').read()", ABSENT),
    Attempt("the host's passwords", "open('/etc/shadow').read()", ABSENT),
    Attempt("root's home", "sh:cat /root/.ssh/id_rsa /root/.bashrc", ABSENT),
    Attempt("the kernel's memory", "open('/proc/kcore', 'rb').read(9)", "Errno"),
    Attempt("the machine's memory", "open('/dev/mem', 'rb').read(9)", ABSENT),
    Attempt("the machine's disk", "sh:cat /dev/vda /dev/sda /dev/nvme0n1", ABSENT),
    Attempt("the machine's control groups", "open('/sys/fs/cgroup/cgroup.procs').read()", ABSENT),
    Attempt(
        "descriptors left open",
        "import os\n"
        "found = [n for n in range(3, 512) if os.path.exists(f'/proc/self/fd/{n}')]\n"
        "raise SystemExit(f'open: {found}')",
        "open: []",
    ),
]


@pytest.mark.parametrize(("attempt", "way"), cases(READS))
async def test_a_file_of_the_host_cannot_be_read_by(
    attempt: Attempt, way: Way, tmp_path: Path
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("s3cret", encoding="utf-8")
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (workspace / "link").symlink_to(secret)
    placed = attempt._replace(code=attempt.code.replace("SECRET", str(secret)))
    outcome = await make(placed, way, workspace)
    assert attempt.reason in outcome.reasons
    assert outcome.result.exit_code != 0
    assert "s3cret" not in outcome.reasons


FIRST_PROCESS = """
import sys
for name in ('rootSECRET', 'cwdSECRET', 'environ', 'fd/3', 'mem'):
    try:
        with open('/proc/1/' + name, 'rb') as file:
            print(name, file.read(4096))
    except OSError as error:
        print(name, error.strerror)
try:
    open('/proc/1/mem', 'r+b')
except OSError as error:
    sys.exit(error.strerror)
"""


@pytest.mark.parametrize("way", WAYS)
async def test_process_one_gives_away_nothing_and_cannot_be_taken_over(
    way: Way, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("s3cret", encoding="utf-8")
    monkeypatch.setenv("OPENAI_API_KEY", "s3cret")
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    attempt = Attempt("process 1", FIRST_PROCESS.replace("SECRET", str(secret)), "")
    outcome = await make(attempt, way, workspace)
    assert CLOSED in outcome.reasons or READ_ONLY in outcome.reasons
    assert "s3cret" not in outcome.reasons


@pytest.mark.parametrize("way", WAYS)
async def test_the_file_tree_holds_no_socket_of_the_host(way: Way, tmp_path: Path) -> None:
    found = "sh:find / -xdev -type s 2>/dev/null; find /dev /tmp /workspace -type s; echo looked"
    outcome = await make(Attempt("sockets", found, ""), way, tmp_path)
    assert outcome.result.stdout == "looked\n"


PYTHON_FOLDER = "__import__('os').path.dirname(__import__('os').__file__)"
WRITES = [
    Attempt("a system folder", "open('/usr/bin/planted', 'w')", READ_ONLY),
    Attempt("the top", "open('/planted', 'w')", READ_ONLY),
    Attempt("the settings", "open('/etc/ld.so.preload', 'w')", READ_ONLY),
    Attempt(
        "the Python that the worker runs", f"open({PYTHON_FOLDER} + '/planted', 'w')", READ_ONLY
    ),
    Attempt("a way up", "open('../planted', 'w')", READ_ONLY),
    Attempt("the kernel's switches", "open('/proc/sys/kernel/core_pattern', 'w')", "Errno"),
    Attempt("the emergency key", "open('/proc/sysrq-trigger', 'w').write('b')", "Errno"),
    Attempt("a hard link to a program", "__import__('os').link('/usr/bin/env', 'env')", "Errno"),
    Attempt("another root", "__import__('os').chroot('.')", FORBIDDEN),
    Attempt("a device of its own", "import os; os.mknod('disk', 0o60600, 65024)", FORBIDDEN),
    Attempt("another owner", "sh:touch mine; chown 0:0 mine", "chown"),
    Attempt("a mount over a program", "sh:mount --bind . /usr/bin", "mount"),
    Attempt("a mount that can be written", "sh:mount -o remount,rw /usr", "mount"),
    Attempt("a file system of memory", "sh:mount -t tmpfs none /tmp", "mount"),
]


@pytest.mark.parametrize(("attempt", "way"), cases(WRITES))
async def test_nothing_outside_can_be_changed_by(
    attempt: Attempt, way: Way, tmp_path: Path
) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    outcome = await make(attempt, way, workspace)
    assert attempt.reason in outcome.reasons
    assert outcome.result.exit_code != 0
    assert [path.name for path in tmp_path.iterdir()] == ["workspace"]
    assert not Path("/planted").exists()


@pytest.mark.parametrize("way", WAYS)
async def test_a_program_of_another_user_gives_no_rights(way: Way, tmp_path: Path) -> None:
    script = "sh:cp /usr/bin/id id; chmod 6755 id; ./id -u; grep NoNewPrivs /proc/self/status"
    outcome = await make(Attempt("setuid", script, ""), way, tmp_path)
    assert outcome.result.stdout == "65534\nNoNewPrivs:\t1\n"


@pytest.mark.parametrize("way", WAYS)
async def test_an_archive_that_leads_out_stays_inside(way: Way, tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    with zipfile.ZipFile(workspace / "a.zip", "w") as archive:
        archive.writestr("../../planted", "x")
        archive.writestr("/planted", "x")
    code = (
        "import zipfile\n"
        "for info in zipfile.ZipFile('a.zip').infolist():\n"
        "    open(info.filename, 'w').write('x')"
    )
    outcome = await make(Attempt("traversal", code, READ_ONLY), way, workspace)
    assert READ_ONLY in outcome.reasons
    assert not (tmp_path / "planted").exists()


@pytest.mark.parametrize("way", WAYS)
async def test_a_link_in_the_workspace_does_not_lead_the_host_out(way: Way, tmp_path: Path) -> None:
    """Owners are changed on the host at each start: never of what a link points at."""
    workspace, outside = tmp_path / "workspace", tmp_path / "outside"
    workspace.mkdir()
    outside.write_text("mine", encoding="utf-8")
    before = outside.stat()
    await make(
        Attempt("link", f"import os; os.symlink('{outside}', 'l'); os.mkdir('d')", ""),
        way,
        workspace,
    )
    await make(Attempt("again", "open('/workspace/d/x', 'w')", ""), way, workspace)
    assert outside.stat() == before


@pytest.mark.parametrize("way", WAYS)
async def test_an_installed_package_hides_its_answers_from_the_code(
    way: Way, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if `msgspec`, which lies where a wheel of ours would, were our own package."""
    package = Path(msgspec.__file__).resolve().parent
    monkeypatch.setattr(file_tree, "OWN_PACKAGE", package)
    script = f"sh:ls -A {package}; ls {package.parent} | grep -cx msgspec; touch {package}/x"
    outcome = await make(Attempt("answers", script, READ_ONLY), way, tmp_path)
    assert outcome.result.stdout == "1\n"
    assert READ_ONLY in outcome.reasons
