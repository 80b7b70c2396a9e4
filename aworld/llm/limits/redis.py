"""The book of all workers, in Redis: each step is one script, so none can come between."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

from aworld.llm.limits.book import (
    Call,
    LetIn,
    Period,
    Reason,
    Spending,
    Spent,
    Verdict,
    Wait,
    periods,
)
from aworld.llm.limits.memory import WINDOW_S, MemoryBook
from aworld.llm.limits.rules import Limits
from aworld.llm.shared import LoopShared

if TYPE_CHECKING:
    from redis.asyncio import Redis

log = logging.getLogger(__name__)
T = TypeVar("T")

_TIMEOUT_S = 2.0
_KEEP_S = {"day": 3 * 86_400, "month": 40 * 86_400}

_ENTER = """
local window, tokens, open, reserved, day, month = unpack(KEYS)
local call, estimate, cost, lease = ARGV[1], tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])
local span, rpm, tpm = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local concurrent, day_most, month_most = tonumber(ARGV[8]), tonumber(ARGV[9]), tonumber(ARGV[10])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for _, one in ipairs(redis.call('ZRANGEBYSCORE', window, '-inf', now - span)) do
  redis.call('ZREM', window, one)
  redis.call('HDEL', tokens, one)
end
for _, one in ipairs(redis.call('ZRANGEBYSCORE', open, '-inf', now)) do
  redis.call('ZREM', open, one)
  redis.call('HDEL', reserved, one)
end
local function sum(hash)
  local total = 0
  for _, value in ipairs(redis.call('HVALS', hash)) do total = total + tonumber(value) end
  return total
end
local under_way = redis.call('ZCARD', open)
if day_most >= 0 or month_most >= 0 then
  local held = under_way > 0 and sum(reserved) or 0
  local waits = false
  for _, one in ipairs({{'day', day, day_most}, {'month', month, month_most}}) do
    if one[3] >= 0 then
      local used = tonumber(redis.call('GET', one[2]) or '0')
      if used >= one[3] then return {'spent', one[1], tostring(used)} end
      waits = waits or used + held >= one[3]
    end
  end
  if waits and under_way > 0 then return {'wait', 'budget', '200'} end
end
if concurrent >= 0 and under_way >= concurrent then return {'wait', 'concurrent', '200'} end
local count = redis.call('ZCARD', window)
if rpm >= 0 and count >= rpm then
  local first = redis.call('ZRANGE', window, count - rpm, count - rpm, 'WITHSCORES')
  return {'wait', 'requests_per_minute', tostring(first[2] + span - now)}
end
if tpm >= 0 then
  local left = sum(tokens)
  if left > 0 and left + estimate > tpm then
    local leaves = now
    local all = redis.call('ZRANGE', window, 0, -1, 'WITHSCORES')
    for i = 1, #all, 2 do
      left = left - tonumber(redis.call('HGET', tokens, all[i]) or '0')
      leaves = all[i + 1] + span
      if left <= 0 or left + estimate <= tpm then break end
    end
    return {'wait', 'tokens_per_minute', tostring(leaves - now)}
  end
end
redis.call('ZADD', window, now, call)
redis.call('HSET', tokens, call, estimate)
redis.call('ZADD', open, now + lease, call)
redis.call('HSET', reserved, call, cost)
for _, key in ipairs({window, tokens}) do redis.call('PEXPIRE', key, span + 60000) end
for _, key in ipairs({open, reserved}) do redis.call('PEXPIRE', key, lease + 3600000) end
return {'in'}
"""
_LEAVE = """
local tokens, open, reserved, day, month = unpack(KEYS)
local call, used, cost = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
redis.call('ZREM', open, call)
redis.call('HDEL', reserved, call)
if used >= 0 and redis.call('HEXISTS', tokens, call) == 1 then
  redis.call('HSET', tokens, call, used)
end
if cost > 0 then
  redis.call('INCRBYFLOAT', day, ARGV[3])
  redis.call('EXPIRE', day, ARGV[4])
  redis.call('INCRBYFLOAT', month, ARGV[3])
  redis.call('EXPIRE', month, ARGV[5])
end
return 1
"""


async def _close(client: Redis) -> None:
    await client.aclose()


_clients: LoopShared[Redis] = LoopShared(_close)


class RedisBook:
    """Counts by Redis's clock. While Redis is away each process counts by itself."""

    def __init__(
        self, url: str, alone: MemoryBook, *, window_s: float = WINDOW_S, prefix: str = "aworld"
    ) -> None:
        """`alone` is what this process counts with while Redis does not answer."""
        self._url = url
        self._alone = alone
        self._window_s = window_s
        self._prefix = prefix
        self._away = False

    async def enter(self, call: Call, limits: Limits) -> Verdict:
        """Let a call in, or say why not."""

        async def ask(client: Redis) -> Verdict:
            keys = self._keys(call.connection, "window", "tokens", "open", "reserved")
            keys += self._spent_keys(call.connection)
            most = [-1.0 if one is None else one for one in (
                limits.requests_per_minute, limits.tokens_per_minute, limits.concurrent,
                limits.cost_per_day_usd, limits.cost_per_month_usd,
            )]  # fmt: skip
            times = [round(call.lease_s * 1000), round(self._window_s * 1000)]
            given = [call.id, call.tokens, repr(call.cost_usd), *times, *most]
            return _verdict(await _eval(client, _ENTER, keys, given))

        return await self._ask(ask, lambda: self._alone.enter(call, limits))

    async def leave(self, call: Call, tokens: int | None, cost_usd: float) -> None:
        """The call is over."""

        async def tell(client: Redis) -> None:
            keys = self._keys(call.connection, "tokens", "open", "reserved")
            keys += self._spent_keys(call.connection)
            used = -1 if tokens is None else tokens
            given = [call.id, used, repr(cost_usd), _KEEP_S["day"], _KEEP_S["month"]]
            await _eval(client, _LEAVE, keys, given)

        await self._ask(tell, lambda: self._alone.leave(call, tokens, cost_usd))

    async def spending(self, connection: str) -> Spending:
        """What it has cost."""

        async def read(client: Redis) -> Spending:
            day, month = await client.mget(self._spent_keys(connection))
            return Spending(float(day or 0), float(month or 0))

        return await self._ask(read, lambda: self._alone.spending(connection))

    async def aclose(self) -> None:
        """Let the loop's connection go if no other book uses it."""
        await _clients.release(self._url, self)

    async def _ask(
        self, ask: Callable[[Redis], Awaitable[T]], alone: Callable[[], Awaitable[T]]
    ) -> T:
        from redis.exceptions import ConnectionError, ResponseError, TimeoutError

        try:
            answer = await ask(await _clients.get(self._url, self, self._connect))
        except (ConnectionError, TimeoutError, ResponseError, OSError) as error:
            if not self._away:
                log.warning("The limits of models are counted by each process alone: %s", error)
            self._away = True
            return await alone()
        self._away = False
        return answer

    def _connect(self) -> Redis:
        from redis.asyncio import Redis
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff

        client: Redis = Redis.from_url(
            self._url,
            retry=Retry(NoBackoff(), 1),
            socket_connect_timeout=_TIMEOUT_S,
            socket_timeout=_TIMEOUT_S,
        )
        return client

    def _keys(self, connection: str, *names: str) -> list[str]:
        # The braces keep a connection's keys on one machine of a Redis cluster.
        return [f"{self._prefix}:limits:{{{connection}}}:{name}" for name in names]

    def _spent_keys(self, connection: str) -> list[str]:
        import time

        return self._keys(connection, *(f"usd:{period}" for period in periods(time.time())))


async def _eval(client: Redis, script: str, keys: list[str], given: list[Any]) -> Any:
    return await client.eval(script, len(keys), *keys, *given)


def _verdict(answer: list[bytes]) -> Verdict:
    what, *rest = (part.decode() for part in answer)
    if what == "wait":
        return Wait(cast(Reason, rest[0]), float(rest[1]) / 1000)
    if what == "spent":
        return Spent(cast(Period, rest[0]), float(rest[1]))
    return LetIn()
