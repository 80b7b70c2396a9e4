"""The machine: its Python, disk, memory, GPU."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

from aworld_web.processes.checks.finding import Finding

__all__ = ["disk", "gpu", "memory", "python"]

GIB = 1024**3
_LEAST_DISK = 1 * GIB
_GOOD_DISK = 5 * GIB
_GOOD_MEMORY = 4 * GIB


def python() -> Finding:
    """Whether this Python is one that the product was tried on."""
    version = platform.python_version()
    if sys.version_info[:2] > (3, 13):
        return Finding(
            "Python",
            "note",
            f"{version}, newer than those tried",
            "If a package does not install, use Python 3.11, 3.12 or 3.13.",
        )
    return Finding("Python", "ok", version)


def disk(home: Path) -> Finding:
    """Whether there is room for the log."""
    there = next(folder for folder in (home, *home.parents) if folder.exists())
    free = shutil.disk_usage(there).free
    detail = f"{free / GIB:.1f} GiB free at {str(there)!r}"
    cure = "Make room, or put the data elsewhere with AWORLD_HOME; training needs about 5 GiB."
    if not (there.is_dir() and os.access(there, os.W_OK)):
        return Finding(
            "Disk", "missing", f"{str(there)!r} cannot be written", "Choose another AWORLD_HOME."
        )
    if free < _LEAST_DISK:
        return Finding("Disk", "missing", detail, cure)
    return (
        Finding("Disk", "ok", detail)
        if free > _GOOD_DISK
        else Finding("Disk", "note", detail, cure)
    )


def memory() -> Finding:
    """Whether there is room for the local model beside everything else."""
    free = _available_memory()
    if free is None:
        return Finding("Memory", "note", "cannot be read on this system")
    detail = f"{free / GIB:.1f} GiB available"
    if free < _GOOD_MEMORY:
        return Finding(
            "Memory", "note", detail, "Close something: the demo takes up to 4 GiB at its peak."
        )
    return Finding("Memory", "ok", detail)


def _available_memory() -> int | None:
    """Bytes that can be had without swapping, or None where the system does not tell."""
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except OSError:
        return None
    return None


def gpu() -> Finding:
    """Which GPU there is; only training and large models want one."""
    if not shutil.which("nvidia-smi"):
        return Finding("GPU", "note", "none; the CPU serves and trains the small local model")
    asked = ["nvidia-smi", "--query-gpu=name,memory.total", "--format=csv,noheader"]
    try:
        said = subprocess.run(asked, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired) as fault:
        return Finding("GPU", "note", f"nvidia-smi failed: {fault}", "Mend the NVIDIA driver.")
    if said.returncode:
        words = (said.stderr or said.stdout).strip() or f"status {said.returncode}"
        return Finding("GPU", "note", f"nvidia-smi failed: {words}", "Mend the NVIDIA driver.")
    return Finding("GPU", "ok", "; ".join(said.stdout.strip().splitlines()))
