"""Drives one BMC with the DMTF's python-redfish-library and prints what it saw as JSON. Usage: drive-redfish.py <url> <authority>"""

import json
import sys
import time

import redfish

url, authority = sys.argv[1:3]
client = redfish.redfish_client(base_url=url, username="admin", password="rackwright", cafile=authority)
client.login(auth="session")
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


def follow(resource, *names):
    """The address that a chain of links leads to."""
    path = resource
    for name in names:
        body = client.get(path).dict
        path = body["Members"][0]["@odata.id"] if name == "first" else body[name]["@odata.id"]
    return path


system = follow("/redfish/v1/", "Systems", "first")


def get(path=system):
    return client.get(path).dict


def reset(kind):
    return client.post(get()["Actions"]["#ComputerSystem.Reset"]["target"], body={"ResetType": kind}).status


seen["reset"] = reset("On")
until(lambda: get()["PowerState"], "On")


def arm():
    """BootProgress moves while the host initialises, and the ETag with it: a 412 is no refusal, it asks to read again."""
    boot = {"Boot": {"BootSourceOverrideTarget": "Pxe", "BootSourceOverrideEnabled": "Once"}}
    return client.patch(system, body=boot, headers={"If-Match": client.get(system).getheader("ETag")}).status


seen["boot"] = until(arm, 204)
reset("ForceRestart")
seen["consumed"] = until(lambda: get()["Boot"]["BootSourceOverrideEnabled"], "Disabled")

slot = follow(system, "VirtualMedia", "first")
actions = get(slot)["Actions"]
client.post(actions["#VirtualMedia.InsertMedia"]["target"], body={"Image": "http://files.example/a.iso"})
seen["inserted"] = get(slot)["Inserted"]
client.post(actions["#VirtualMedia.EjectMedia"]["target"], body={})
seen["ejected"] = get(slot)["Inserted"]

bios = get(system)["Bios"]["@odata.id"]
client.patch(get(bios)["@Redfish.Settings"]["SettingsObject"]["@odata.id"], body={"Attributes": {"PowerProfile": "Performance"}})
reset("ForceRestart")
seen["bios"] = until(lambda: get(bios)["Attributes"]["PowerProfile"], "Performance")

service = get("/redfish/v1/")["UpdateService"]["@odata.id"]
answer = client.post(get(service)["Actions"]["#UpdateService.SimpleUpdate"]["target"],
                     body={"ImageURI": "http://files.example/NIC-21.5.0.bin", "TransferProtocol": "HTTP"})
seen["accepted"] = answer.status
monitor = answer.monitor(client)
for _ in range(100):
    if not monitor.is_processing:
        break
    time.sleep(0.1)
    monitor = monitor.monitor(client) if monitor.task_location else client.get(answer.task_location)
seen["task"] = monitor.dict["TaskState"]
reset("ForceRestart")
seen["version"] = until(lambda: get(f"{service}/FirmwareInventory/NIC.1")["Version"], "21.5.0")
client.logout()
print(json.dumps(seen))
