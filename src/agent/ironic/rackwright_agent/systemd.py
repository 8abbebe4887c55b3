"""One unit of systemd over D-Bus."""

from __future__ import annotations

from typing import Any, Protocol

from rackwright_agent.unit import UnitState

BUS = "org.freedesktop.systemd1"
UNIT = "org.freedesktop.systemd1.Unit"
SERVICE = "org.freedesktop.systemd1.Service"


class UnitError(Exception):
    """systemd does not do what it was asked for; its words are the text."""


class Unit(Protocol):
    """What the step needs of a unit."""

    def start(self) -> None: ...

    def state(self) -> UnitState: ...


class DBusUnit:
    """A unit of the system's systemd. A missing one is loaded without complaint, and is told by its load state."""

    def __init__(self, name: str) -> None:
        import dbus

        self._dbus = dbus
        self._name = name
        self._bus = dbus.SystemBus()
        self._manager = dbus.Interface(self._bus.get_object(BUS, "/org/freedesktop/systemd1"), f"{BUS}.Manager")
        self._properties = self._load()

    def start(self) -> None:
        try:
            self._manager.StartUnit(self._name, "fail")
        except self._dbus.DBusException as error:
            raise UnitError(f"systemd does not start {self._name}: {error.get_dbus_message()}") from error

    def state(self) -> UnitState:
        # A signal could be lost with the bus; a look cannot.
        try:
            unit, service = self._properties.GetAll(UNIT), self._properties.GetAll(SERVICE)
        except self._dbus.DBusException as error:
            raise UnitError(f"systemd does not tell of {self._name}: {error.get_dbus_message()}") from error
        return UnitState(
            active=str(unit["ActiveState"]),
            result=str(service["Result"]),
            restarts=int(service["NRestarts"]),
            condition=bool(unit["ConditionResult"]),
            main_started=int(service["ExecMainStartTimestampMonotonic"]),
            main_exited=int(service["ExecMainExitTimestampMonotonic"]),
        )

    def _load(self) -> Any:
        try:
            path = self._manager.LoadUnit(self._name)
            properties = self._dbus.Interface(self._bus.get_object(BUS, path), "org.freedesktop.DBus.Properties")
            loaded = str(properties.Get(UNIT, "LoadState"))
            if loaded == "loaded":
                # Nothing else refers to it: without this systemd forgets a unit that has ended, and tells of it as if it had never run.
                self._manager.RefUnit(self._name)
        except self._dbus.DBusException as error:
            raise UnitError(f"systemd does not load {self._name}: {error.get_dbus_message()}") from error
        if loaded != "loaded":
            raise UnitError(f"there is no {self._name} on this system (it is {loaded})")
        return properties
