"""Drives one BMC with sushy, as Ironic does, and prints what it saw as JSON. Usage: drive-sushy.py <url> <authority> <what>"""

import json
import sys
import time

import sushy
from sushy import auth

url, authority, what = sys.argv[1:4]
root = sushy.Sushy(url, verify=authority, auth=auth.SessionOrBasicAuth("admin", "rackwright"),
                   server_side_retries=2, server_side_retries_delay=1)
system = root.get_system()
seen = {}


def until(look, wanted, tries=100):
    """Looks again until it sees what it wants; a bounded number of times."""
    found = None
    for _ in range(tries):
        found = look()
        if found == wanted:
            return found
        time.sleep(0.1)
    raise SystemExit(f"wanted {wanted}, still {found}")


def power():
    system.refresh()
    return system.power_state


def inspect():
    summary = system.processors.summary
    seen["cpus"] = summary.count
    seen["architecture"] = str(summary.architecture)
    seen["memory"] = system.memory_summary.size_gib
    seen["macs"] = sorted(system.ethernet_interfaces.summary)
    seen["disks"] = sorted(drive.capacity_bytes for one in system.storage.get_members() for drive in one.drives)
    seen["largest"] = system.simple_storage.max_size_bytes
    seen["managers"] = [manager.manager_type.value for manager in system.managers]
    seen["chassis"] = len(system.chassis)
    seen["resets"] = sorted(value.value for value in system.get_allowed_reset_system_values())
    seen["firmware"] = len(root.get_update_service().firmware_inventory.get_members())
    seen["secure boot"] = system.secure_boot.enabled


def cycle():
    if power() != sushy.PowerState.OFF:
        system.reset_system(sushy.ResetType.FORCE_OFF)
        until(power, sushy.PowerState.OFF)
    system.reset_system(sushy.ResetType.ON)
    until(power, sushy.PowerState.ON)
    system.reset_system(sushy.ResetType.FORCE_OFF)
    until(power, sushy.PowerState.OFF)
    seen["cycled"] = True


def boot_once():
    system.set_system_boot_options(target=sushy.BootSource.PXE, enabled=sushy.BootSourceOverrideEnabled.ONCE)
    system.refresh()
    seen["armed"] = [system.boot.target.value, system.boot.enabled.value]
    system.reset_system(sushy.ResetType.ON)

    def enabled():
        system.refresh()
        return system.boot.enabled

    until(enabled, sushy.BootSourceOverrideEnabled.DISABLED)
    seen["after"] = system.boot.enabled.value


def media():
    drives = system.virtual_media.get_members()
    drive = next(one for one in drives if sushy.VirtualMediaType.CD in one.media_types)
    drive.insert_media("http://files.example/a.iso", inserted=True, write_protected=True)
    drive.refresh()
    seen["inserted"] = [drive.inserted, drive.image, drive.image_name]
    drive.eject_media()
    drive.refresh()
    seen["ejected"] = drive.inserted


def bios():
    seen["registry"] = len(system.bios.get_attribute_registry().registry_entries.attributes)
    system.bios.set_attributes({"ProcHyperthreading": "Disabled", "BootDelaySeconds": 9}, apply_time=sushy.APPLY_TIME_ON_RESET)
    system.bios.refresh(force=True)
    seen["pending"] = dict(system.bios.pending_attributes)
    seen["before"] = system.bios.attributes["ProcHyperthreading"]
    system.reset_system(sushy.ResetType.FORCE_RESTART)

    def now():
        system.bios.refresh(force=True)
        return system.bios.attributes["ProcHyperthreading"]

    seen["applied"] = until(now, "Disabled")


def update():
    service = root.get_update_service()
    monitor = service.simple_update("http://files.example/BIOS-9.1.0.bin")
    # As Ironic does it: sushy takes the Task itself for its monitor, so the Task says how it goes.
    first = monitor.get_task().task_state.value
    seen["end"] = until(lambda: monitor.get_task().task_state.value, "Completed")
    seen["first"] = first

    def version():
        return {one.identity: one.version for one in root.get_update_service().firmware_inventory.get_members()}["BIOS"]

    system.reset_system(sushy.ResetType.FORCE_RESTART)
    seen["version"] = until(version, "9.1.0")


for name in what.split(","):
    globals()[name]()
print(json.dumps(seen))
