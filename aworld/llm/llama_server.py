"""The local model behind an OpenAI-compatible address: `python -m aworld.llm.llama_server`.

llama.cpp's own server does the work, in this process. `GET /health` answers 200 once the model is
loaded, 503 before. SIGTERM and SIGINT end it at once, even while it loads: it holds nothing that
has to be saved.
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from aworld.errors import AWorldError, ConfigurationError
from aworld.llm.model_files import MODEL_NAME, adapter_path, find_base_model

SLOT_TOKENS = 2048
"""Context of one conversation: several turns with their tool calls."""
LONGEST_ANSWER = 512
"""Tokens of an answer whose request sets no limit; a small model may never stop by itself."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until a signal; 1 where it cannot start, with a sentence on stderr."""
    options = _parser().parse_args(arguments)
    # A handler in Python would wait for llama.cpp to come back; the system's own does not.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    try:
        model = options.model or find_base_model(options.home)
        adapter = None if options.no_adapter else options.adapter or adapter_path()
        _need_free(options.host, options.port)
        server = _start(options, model, adapter)
    except AWorldError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stderr.write(f"Serving {MODEL_NAME} on {server}/v1\n")
    sys.stderr.flush()
    threading.Event().wait()
    return 0


def _parser() -> argparse.ArgumentParser:
    home = Path(os.environ.get("AWORLD_HOME") or Path.home() / ".aworld")
    parser = argparse.ArgumentParser(prog="python -m aworld.llm.llama_server", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--threads", type=int, default=1, help="of computation")
    parser.add_argument("--slots", type=int, default=8, help="conversations at once")
    parser.add_argument("--no-adapter", action="store_true", help="serve the base model as it is")
    parser.add_argument("--home", type=Path, default=home, help="where models/ may lie")
    parser.add_argument("--model", type=Path, help="another GGUF file")
    parser.add_argument("--adapter", type=Path, help="another adapter")
    return parser


def _need_free(host: str, port: int) -> None:
    """llama.cpp's own words about a port in use do not name it.

    Raises:
        ConfigurationError: something listens there, or the address is not ours.
    """
    try:
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except (OSError, OverflowError) as error:
        raise ConfigurationError(
            f"The local model cannot listen on {host}:{port} ({error}): choose another --port."
        ) from error


def _start(options: argparse.Namespace, model: Path, adapter: Path | None) -> str:
    """Load the model and serve it from a thread of llama.cpp's; gives the address.

    Raises:
        ConfigurationError: xllamacpp is not installed or could not load the model.
    """
    try:
        import xllamacpp
    except ImportError as error:
        raise ConfigurationError(
            f"The local model needs xllamacpp ({error}): `pip install xllamacpp`."
        ) from error
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(model)
    parameters.model_alias = {MODEL_NAME}
    if adapter is not None:
        parameters.lora_adapters = [xllamacpp.CommonAdapterLoraInfo(str(adapter), 1.0)]
    parameters.hostnames = [options.host]
    parameters.port = options.port
    parameters.cpuparams.n_threads = options.threads
    parameters.cpuparams_batch.n_threads = options.threads
    parameters.n_threads_http = options.slots + 4
    parameters.n_parallel = options.slots
    parameters.n_ctx = options.slots * SLOT_TOKENS
    parameters.n_predict = LONGEST_ANSWER
    # Greedy unless a request says otherwise: this model wanders at llama.cpp's default of 0.8.
    parameters.sampling.temp = 0.0
    # The prompt cache in main memory would take up to 8 GB; the slots' own caches are enough.
    parameters.cache_ram_mib = 0
    parameters.force_pure_content_parser = True
    parameters.fit_params = False
    parameters.verbosity = 1
    parameters.ui = False
    try:
        server = xllamacpp.Server(parameters)
    except RuntimeError as error:
        raise ConfigurationError(f"llama.cpp could not serve {str(model)!r}: {error}") from error
    _running.append(server)
    return str(server.listening_address)


_running: list[object] = []
"""The server: it stops when nothing refers to it."""


if __name__ == "__main__":
    sys.exit(main())
