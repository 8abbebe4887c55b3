"""What the state of a systemd unit means for an installation. No clock, no bus: whoever watches brings both."""

from __future__ import annotations

from dataclasses import dataclass, replace

MICROSECONDS = 1_000_000
STABLE = 60 * MICROSECONDS
MOST_RESTARTS = 5


@dataclass(frozen=True)
class UnitState:
    """A unit as systemd describes it. Times are systemd's own, which never jump, in microseconds; 0 is never."""

    active: str
    result: str
    restarts: int
    condition: bool
    main_started: int
    main_exited: int

    def last_run(self, now: int) -> int:
        """How long its program has been running, or was the last time."""
        if self.main_started == 0:
            return 0
        return (self.main_exited if self.main_exited >= self.main_started else now) - self.main_started


@dataclass(frozen=True)
class Watch:
    """What must be remembered from one look to the next."""

    started: int
    """When the unit was asked to start."""
    forgiven: int = 0
    """How many restarts lie before the last time at which it ran for a minute."""


@dataclass(frozen=True)
class Verdict:
    """`done` says how it ended; None while it has not."""

    because: str
    done: bool | None = None


def judge(watch: Watch, state: UnitState, now: int) -> tuple[Watch, Verdict]:
    """Decides by what systemd shows: a unit that restarts itself for ever is a failure, and one that is being stopped is neither."""
    if state.last_run(now) >= STABLE:
        watch = replace(watch, forgiven=max(watch.forgiven, state.restarts))
    if state.active == "failed":
        return watch, Verdict(f"it failed ({state.result})", False)
    if state.active == "inactive":
        return watch, ended(watch, state)
    if state.restarts - watch.forgiven > MOST_RESTARTS:
        return watch, Verdict(
            f"it was restarted {state.restarts - watch.forgiven} times without running for a minute ({state.result})", False
        )
    if state.active == "deactivating":
        return watch, Verdict("it is being stopped")
    if state.active == "active":
        return watch, Verdict(f"it has been running for {state.last_run(now) // MICROSECONDS} s")
    return watch, Verdict(f"it is {state.active}")


def ended(watch: Watch, state: UnitState) -> Verdict:
    """Inactive is a success only where it really ran, and after it was asked to."""
    if not state.condition:
        return Verdict("it never ran: a condition of its unit is not met", False)
    if state.main_started <= watch.started:
        return Verdict("it never ran", False)
    if state.result != "success":
        return Verdict(f"it ended with {state.result}", False)
    return Verdict("it has ended well", True)
