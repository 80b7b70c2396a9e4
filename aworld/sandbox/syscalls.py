"""System calls that code in the sandbox may not make, with their numbers on each architecture."""

from __future__ import annotations

from typing import NamedTuple


class Numbers(NamedTuple):
    """The number of a call, None where the architecture has no such call."""

    x86_64: int | None
    aarch64: int | None


DENIED: dict[str, Numbers] = {
    # Looking into, or taking over, other processes.
    "ptrace": Numbers(101, 117),
    "process_vm_readv": Numbers(310, 270),
    "process_vm_writev": Numbers(311, 271),
    "process_madvise": Numbers(440, 440),
    "kcmp": Numbers(312, 272),
    "pidfd_getfd": Numbers(438, 438),
    # The file tree.
    "mount": Numbers(165, 40),
    "umount2": Numbers(166, 39),
    "pivot_root": Numbers(155, 41),
    "chroot": Numbers(161, 51),
    "move_mount": Numbers(429, 429),
    "open_tree": Numbers(428, 428),
    "fsopen": Numbers(430, 430),
    "fsconfig": Numbers(431, 431),
    "fsmount": Numbers(432, 432),
    "fspick": Numbers(433, 433),
    "mount_setattr": Numbers(442, 442),
    "statmount": Numbers(457, 457),
    "listmount": Numbers(458, 458),
    "open_by_handle_at": Numbers(304, 265),
    "name_to_handle_at": Numbers(303, 264),
    "quotactl": Numbers(179, 60),
    "quotactl_fd": Numbers(443, 443),
    "fanotify_init": Numbers(300, 262),
    "fanotify_mark": Numbers(301, 263),
    "lookup_dcookie": Numbers(212, 18),
    "swapon": Numbers(167, 224),
    "swapoff": Numbers(168, 225),
    "acct": Numbers(163, 89),
    "nfsservctl": Numbers(180, 42),
    "uselib": Numbers(134, None),
    "sysfs": Numbers(139, None),
    # Namespaces; clone and unshare are looked at by their flags.
    "setns": Numbers(308, 268),
    # The kernel itself.
    "kexec_load": Numbers(246, 104),
    "kexec_file_load": Numbers(320, 294),
    "init_module": Numbers(175, 105),
    "finit_module": Numbers(313, 273),
    "delete_module": Numbers(176, 106),
    "reboot": Numbers(169, 142),
    "bpf": Numbers(321, 280),
    "perf_event_open": Numbers(298, 241),
    "syslog": Numbers(103, 116),
    "iopl": Numbers(172, None),
    "ioperm": Numbers(173, None),
    "modify_ldt": Numbers(154, None),
    "_sysctl": Numbers(156, None),
    # Large parts of the kernel with a long record of faults.
    "userfaultfd": Numbers(323, 282),
    "io_uring_setup": Numbers(425, 425),
    "io_uring_enter": Numbers(426, 426),
    "io_uring_register": Numbers(427, 427),
    "add_key": Numbers(248, 217),
    "request_key": Numbers(249, 218),
    "keyctl": Numbers(250, 219),
    # The machine's clock, name and terminal.
    "settimeofday": Numbers(164, 170),
    "clock_settime": Numbers(227, 112),
    "clock_adjtime": Numbers(305, 266),
    "adjtimex": Numbers(159, 171),
    "sethostname": Numbers(170, 161),
    "setdomainname": Numbers(171, 162),
    "vhangup": Numbers(153, 58),
    # Memory that no watch over processes sees.
    "shmget": Numbers(29, 194),
    "memfd_secret": Numbers(447, 447),
    "move_pages": Numbers(279, 239),
    "migrate_pages": Numbers(256, 238),
}
"""Answered with "Operation not permitted"."""

EXAMINED: dict[str, Numbers] = {
    "clone": Numbers(56, 220),
    "clone3": Numbers(435, 435),
    "unshare": Numbers(272, 97),
    "socket": Numbers(41, 198),
    "socketpair": Numbers(53, 199),
    "ioctl": Numbers(16, 29),
    "personality": Numbers(135, 92),
}
"""Allowed or not by their arguments; see `seccomp.program`."""

NEWEST = 466
"""Calls that came after this one are unknown here, and answered with "Function not implemented"."""
