"""Starts the assisted agent and waits for its end, however long a person takes to say what it shall do."""

from __future__ import annotations

import time
from typing import Callable

from rackwright_agent.systemd import Unit, UnitError
from rackwright_agent.unit import MICROSECONDS, UnitState, Watch, judge

POLL = 5.0
TELL = 300.0
PATIENT = 12
"""So many looks in a row may fail: the bus restarts now and then."""

Say = Callable[[str], None]


class InstallFailed(Exception):
    """The installation did not come to a good end; the text says why."""


def monotonic() -> int:
    """systemd's own clock."""
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1_000


def run_unit(
    unit: Unit, name: str, say: Say, now: Callable[[], int] = monotonic, sleep: Callable[[float], None] = time.sleep, every: float = POLL
) -> None:
    """Returns when the unit has ended well, raises where it has not. There is no deadline: the agent's heartbeats say that it is alive."""
    if unit.state().active in ("active", "activating", "reloading"):
        raise InstallFailed(f"{name} runs already: it must be left to this step")
    watch = Watch(started=now())
    unit.start()
    say(f"{name} was started")
    told, failures = now(), 0
    while True:
        sleep(every)
        state, trouble = look(unit)
        if state is None:
            failures += 1
            if failures > PATIENT:
                raise InstallFailed(trouble)
            continue
        failures = 0
        watch, verdict = judge(watch, state, now())
        if verdict.done is True:
            say(f"{name}: {verdict.because}")
            return
        if verdict.done is False:
            raise InstallFailed(f"{name}: {verdict.because}")
        if now() - told >= TELL * MICROSECONDS:
            told = now()
            say(f"{name}: {verdict.because}; the installation begins when somebody approves it")


def look(unit: Unit) -> tuple[UnitState | None, str]:
    try:
        return unit.state(), ""
    except UnitError as error:
        return None, str(error)
