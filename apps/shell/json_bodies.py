"""JSON bodies of requests; whatever a database or a log cannot keep is refused here."""

from __future__ import annotations

import json
import math
from typing import Any, cast

from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja.parser import Parser

from apps.shell.refusals import Refusal

SMALLEST, LARGEST = -(2**63), 2**63 - 1


class JsonBodies(Parser):
    """The API's parser."""

    def parse_body(self, request: HttpRequest) -> dict[str, Any]:
        """The body's value, whatever JSON it is.

        Raises:
            Refusal: 400, it is no JSON, or holds numbers or text that cannot be kept.
        """
        return cast("dict[str, Any]", read_json(request.body))


def read_json(data: bytes) -> Any:
    """Strict JSON: numbers of at most 64 bits, no NaN, no halves of surrogate pairs.

    Raises:
        Refusal: 400, it is something else.
    """
    try:
        value = json.loads(
            data.decode(), parse_constant=_no_number, parse_int=_whole, parse_float=_finite
        )
        # Only an escape can bring a lone half of a pair into valid UTF-8.
        if b"\\ud" in data or b"\\uD" in data:
            json.dumps(value, ensure_ascii=False).encode()
    except UnicodeError as error:
        raise Refusal(
            _("The request's body is no text in UTF-8: %(error)s.") % {"error": str(error)}
        ) from None
    except RecursionError:
        raise Refusal(_("The request's body is nested too deeply.")) from None
    except ValueError as error:
        raise Refusal(
            _("The request's body is no JSON: %(error)s.") % {"error": str(error)}
        ) from None
    return value


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no number")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"the number {text[:24]} is too large")
    return value


def _whole(text: str) -> int:
    # 20 characters are the longest that fit, and int() refuses thousands with words of its own.
    value = int(text) if len(text) <= 20 else LARGEST + 1
    if not SMALLEST <= value <= LARGEST:
        raise ValueError(f"the number {text[:24]} has more than 64 bits")
    return value
