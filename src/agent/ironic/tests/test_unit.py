from __future__ import annotations

import unittest

from rackwright_agent.unit import MICROSECONDS, UnitState, Watch, judge

STARTED = 1_000 * MICROSECONDS


def state(active: str, **more: object) -> UnitState:
    usual = {"result": "success", "restarts": 0, "condition": True, "main_started": STARTED + 1, "main_exited": 0}
    return UnitState(active=active, **{**usual, **more})  # type: ignore[arg-type]


def verdict(seen: UnitState, forgiven: int = 0, after: int = 10):
    return judge(Watch(STARTED, forgiven), seen, STARTED + after * MICROSECONDS)[1]


class Judge(unittest.TestCase):
    """T-69, ZT-042, ZT-043"""

    def test_success_is_an_end_after_it_really_ran(self) -> None:
        self.assertIs(verdict(state("inactive", main_exited=STARTED + 9)).done, True)

    def test_inactive_without_having_run_is_a_failure(self) -> None:
        for seen in (state("inactive", main_started=0), state("inactive", main_started=STARTED - 5)):
            self.assertEqual((verdict(seen).done, verdict(seen).because), (False, "it never ran"))

    def test_a_condition_that_is_not_met_is_a_failure(self) -> None:
        seen = state("inactive", condition=False)
        self.assertEqual((verdict(seen).done, "condition" in verdict(seen).because), (False, True))

    def test_failed_and_other_results_are_failures(self) -> None:
        self.assertIs(verdict(state("failed", result="exit-code")).done, False)
        self.assertIs(verdict(state("inactive", result="exit-code")).done, False)

    def test_being_stopped_is_neither(self) -> None:
        self.assertIsNone(verdict(state("deactivating")).done)

    def test_running_and_starting_have_no_deadline(self) -> None:
        for active in ("active", "activating"):
            self.assertIsNone(verdict(state(active), after=2 * 24 * 3600).done)

    def test_more_than_five_restarts_without_a_minute_are_a_crash_loop(self) -> None:
        now = STARTED + 40 * MICROSECONDS
        ran = {"main_started": now - 3 * MICROSECONDS, "main_exited": now - 2 * MICROSECONDS}
        self.assertIsNone(verdict(state("activating", restarts=5, **ran), after=40).done)
        found = verdict(state("activating", restarts=6, result="exit-code", **ran), after=40)
        self.assertEqual((found.done, "6 times" in found.because), (False, True))

    def test_a_minute_of_running_forgives_what_was_before(self) -> None:
        now = STARTED + 500 * MICROSECONDS
        watch, _ = judge(Watch(STARTED), state("active", restarts=5, main_started=now - 61 * MICROSECONDS), now)
        self.assertEqual(watch.forgiven, 5)
        short = {"main_started": now + MICROSECONDS, "main_exited": now + 2 * MICROSECONDS}
        later = now + 3 * MICROSECONDS
        self.assertIsNone(judge(watch, state("activating", restarts=10, **short), later)[1].done)
        self.assertIs(judge(watch, state("activating", restarts=11, **short), later)[1].done, False)

    def test_a_long_run_between_two_looks_counts_as_well(self) -> None:
        now = STARTED + 500 * MICROSECONDS
        seen = state("activating", restarts=6, main_started=now - 90 * MICROSECONDS, main_exited=now - MICROSECONDS)
        self.assertIsNone(judge(Watch(STARTED), seen, now)[1].done)


if __name__ == "__main__":
    unittest.main()
