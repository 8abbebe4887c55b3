from __future__ import annotations

import json
import unittest

from rackwright_agent.coreos import install_arguments, wishes_of, with_hostname


class InstallCoreOS(unittest.TestCase):
    def test_arguments_of_an_offline_installation(self) -> None:
        wishes = wishes_of(None, "/dev/sda", None, [], False)
        self.assertEqual(install_arguments(wishes), ["coreos-installer", "install", "--preserve-on-error", "--offline", "/dev/sda"])

    def test_everything_that_can_be_asked_for(self) -> None:
        drive = {"meta_data": {"coreos_append_karg": "a=1,b", "coreos_copy_network": True, "coreos_image_url": "http://x/i"}}
        wishes = wishes_of(drive, "/dev/sda", "/tmp/c.ign", ["ip=dhcp"], False)
        expected = "--ignition-file /tmp/c.ign --append-karg a=1 --append-karg b --append-karg ip=dhcp"
        expected += " --image-url http://x/i --insecure --copy-network /dev/sda"
        self.assertEqual(install_arguments(wishes)[3:], expected.split(" "))

    def test_a_config_drive_that_is_no_json_is_refused(self) -> None:
        with self.assertRaisesRegex(ValueError, "must be JSON"):
            wishes_of("H4sIAAAA", "/dev/sda", None, [], False)

    def test_the_hostname_is_added_once(self) -> None:
        first = with_hostname(None, "worker-0")
        self.assertEqual(json.loads(first)["storage"]["files"][0]["contents"]["source"], "data:,worker-0")
        self.assertEqual(json.loads(with_hostname(first, "other")), json.loads(first))


if __name__ == "__main__":
    unittest.main()
