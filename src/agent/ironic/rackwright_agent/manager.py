"""The hardware manager that ironic-python-agent finds by its entry point."""

from __future__ import annotations

import os
from typing import Any

from ironic_python_agent import errors, hardware
from oslo_log import log

from rackwright_agent.assisted import POLL, InstallFailed, run_unit
from rackwright_agent.systemd import DBusUnit, UnitError

LOG = log.getLogger(__name__)
ASSISTED_AGENT = "agent.service"
EVERY = float(os.environ.get("RACKWRIGHT_POLL_SECONDS", POLL))
"""Seconds between two looks at the unit."""


class RackwrightHardwareManager(hardware.HardwareManager):  # type: ignore[misc]
    """Offers the steps; everything else is left to the managers that know the hardware."""

    HARDWARE_MANAGER_NAME = "Rackwright"
    HARDWARE_MANAGER_VERSION = "1"

    def evaluate_hardware_support(self) -> Any:
        return hardware.HardwareSupport.SERVICE_PROVIDER

    def get_deploy_steps(self, node: Any, ports: Any) -> list[dict[str, Any]]:
        return [
            {
                "step": "start_assisted_install",
                "priority": 0,
                "interface": "deploy",
                "reboot_requested": False,
                "argsinfo": {},
            }
        ]

    def start_assisted_install(self, node: Any, ports: Any) -> None:
        """Runs the assisted agent to its end."""
        try:
            run_unit(DBusUnit(ASSISTED_AGENT), ASSISTED_AGENT, LOG.info, every=EVERY)
        except (InstallFailed, UnitError) as error:
            raise errors.DeploymentError(str(error)) from error
