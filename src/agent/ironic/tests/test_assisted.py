from __future__ import annotations

import unittest

from rackwright_agent.assisted import POLL, InstallFailed, run_unit
from rackwright_agent.systemd import UnitError
from rackwright_agent.unit import MICROSECONDS, UnitState


class World:
    """A unit that goes through states, and a clock that its watcher moves."""

    def __init__(self, *states: object) -> None:
        self.time = 500 * MICROSECONDS
        self.states = list(states)
        self.started = 0
        self.said: list[str] = []

    def now(self) -> int:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.time += int(seconds * MICROSECONDS)

    def start(self) -> None:
        self.started = self.time
        self.time += MICROSECONDS

    def state(self) -> UnitState:
        if self.started == 0:
            return UnitState("inactive", "success", 0, True, 0, 0)
        found = self.states[0] if len(self.states) == 1 else self.states.pop(0)
        if isinstance(found, Exception):
            raise found
        active, result = found if isinstance(found, tuple) else (found, "success")
        return UnitState(str(active), str(result), 0, True, self.started + 1, 0)

    def run(self) -> None:
        run_unit(self, "agent.service", self.said.append, self.now, self.sleep)


class RunUnit(unittest.TestCase):
    """ZT-041, ZT-042, ZT-043, T-69, T-70"""

    def test_waits_for_its_end_and_says_so(self) -> None:
        world = World("activating", "active", "deactivating", "inactive")
        world.run()
        self.assertEqual(world.said, ["agent.service was started", "agent.service: it has ended well"])

    def test_waits_two_days_for_a_person_and_tells_now_and_then(self) -> None:
        looks = int(2 * 24 * 3600 / POLL)
        world = World(*["active"] * looks, "inactive")
        world.run()
        waits = [line for line in world.said if "somebody approves" in line]
        self.assertGreater(len(waits), 500)
        self.assertLess(len(waits), 600)

    def test_fails_with_the_reason(self) -> None:
        with self.assertRaisesRegex(InstallFailed, r"agent.service: it failed \(exit-code\)"):
            World("active", ("failed", "exit-code")).run()

    def test_a_bus_that_is_away_for_a_moment_is_no_failure_and_for_good_it_is(self) -> None:
        away = UnitError("systemd does not tell of agent.service: no bus")
        World(*[away] * 12, "inactive").run()
        with self.assertRaisesRegex(InstallFailed, "no bus"):
            World(away).run()

    def test_one_that_runs_already_is_not_taken_for_ours(self) -> None:
        world = World("active")
        world.started = 1
        with self.assertRaisesRegex(InstallFailed, "runs already"):
            world.run()


if __name__ == "__main__":
    unittest.main()
