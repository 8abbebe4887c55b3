"""systemd as far as one unit of it is concerned, for python-dbusmock. What the unit does after its start is told by the story."""

import time

import dbus
from gi.repository import GLib

BUS_NAME = "org.freedesktop.systemd1"
MAIN_OBJ = "/org/freedesktop/systemd1"
MAIN_IFACE = "org.freedesktop.systemd1.Manager"
SYSTEM_BUS = True

PATH = "/org/freedesktop/systemd1/unit/agent_2eservice"
UNIT = "org.freedesktop.systemd1.Unit"
SERVICE = "org.freedesktop.systemd1.Service"


def monotonic():
    return dbus.UInt64(time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1_000)


def load(mock, parameters):
    mock.story = str(parameters.get("story", "success"))
    missing = mock.story == "missing"
    mock.AddObject(PATH, UNIT, {"ActiveState": "inactive", "LoadState": "not-found" if missing else "loaded", "ConditionResult": dbus.Boolean(False)}, [])
    nothing = {"Result": "success", "NRestarts": dbus.UInt32(0)}
    nothing.update({name: dbus.UInt64(0) for name in ("ExecMainStartTimestampMonotonic", "ExecMainExitTimestampMonotonic")})
    objects()[PATH].AddProperties(SERVICE, nothing)


def objects():
    from dbusmock import mockobject

    return mockobject.objects


def now_is(active, result="success", **service):
    objects()[PATH].UpdateProperties(UNIT, {"ActiveState": dbus.String(active)})
    objects()[PATH].UpdateProperties(SERVICE, {"Result": dbus.String(result), **service})


def runs():
    objects()[PATH].UpdateProperties(UNIT, {"ConditionResult": dbus.Boolean(True)})
    now_is("active", ExecMainStartTimestampMonotonic=monotonic())


def crashes(times):
    """As Restart=always does it: it never comes to `failed`."""
    restarts = dbus.UInt32(times)
    now_is("activating", "exit-code", NRestarts=restarts, ExecMainStartTimestampMonotonic=monotonic(), ExecMainExitTimestampMonotonic=monotonic())
    if times < 8:
        GLib.timeout_add(150, lambda: crashes(times + 1))
    return False


def later(milliseconds, what):
    def once():
        what()
        return False

    GLib.timeout_add(milliseconds, once)


@dbus.service.method(MAIN_IFACE, in_signature="s", out_signature="o")
def LoadUnit(self, name):
    # The real one answers with a path for whatever it is asked, too.
    return dbus.ObjectPath(PATH)


@dbus.service.method(MAIN_IFACE, in_signature="s", out_signature="")
def RefUnit(self, name):
    self.referred = True


def forgets(self):
    """A unit that has ended, and that nobody refers to, is loaded anew by whoever asks for it."""
    if not getattr(self, "referred", False):
        objects()[PATH].UpdateProperties(UNIT, {"ConditionResult": dbus.Boolean(False)})
        now_is("inactive", ExecMainStartTimestampMonotonic=dbus.UInt64(0), ExecMainExitTimestampMonotonic=dbus.UInt64(0))


@dbus.service.method(MAIN_IFACE, in_signature="ss", out_signature="o")
def StartUnit(self, name, mode):
    if self.story == "success":
        runs()
        later(800, lambda: now_is("deactivating"))
        later(1_600, lambda: now_is("inactive", ExecMainExitTimestampMonotonic=monotonic()))
        later(1_600, lambda: forgets(self))
    elif self.story == "failure":
        runs()
        later(500, lambda: now_is("failed", "exit-code", ExecMainExitTimestampMonotonic=monotonic()))
    elif self.story == "crash-loop":
        runs()
        later(100, lambda: crashes(1))
    # "never ran": a condition keeps it from starting, and systemd is content with that.
    return dbus.ObjectPath("/org/freedesktop/systemd1/job/1")
