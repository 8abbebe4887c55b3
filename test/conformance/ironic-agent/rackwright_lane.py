"""A machine that is not there, for a real ironic-python-agent: what it finds is made up, and its steps touch nothing."""
import os
import time

from ironic_python_agent import errors
from ironic_python_agent import hardware
from ironic_python_agent import tls_utils


class MadeUp(hardware.GenericHardwareManager):
    HARDWARE_MANAGER_NAME = 'MadeUp'
    HARDWARE_MANAGER_VERSION = '1'

    def evaluate_hardware_support(self):
        return hardware.HardwareSupport.SERVICE_PROVIDER + 1

    def initialize(self):
        pass

    def get_clean_steps(self, node, ports):
        return [{'step': 'lane_works', 'priority': 10, 'interface': 'deploy', 'reboot_requested': False, 'abortable': True}]

    def get_service_steps(self, node, ports):
        return []

    def get_deploy_steps(self, node, ports):
        return [{'step': step, 'priority': 0, 'interface': 'deploy', 'reboot_requested': False, 'argsinfo': {}}
                for step in ('lane_works', 'lane_fails')]

    def lane_works(self, node, ports):
        time.sleep(1.5)

    def lane_fails(self, node, ports):
        raise errors.DeploymentError('the lane says no')

    # The one clean step that hosts ask for, on disks that do not exist.
    def erase_devices_metadata(self, node, ports):
        time.sleep(0.5)

    # What the stock manager offers, as far as it would touch a disk; the volumes that are wanted it checks by itself.
    def delete_configuration(self, node, ports):
        pass

    def list_network_interfaces(self):
        return [hardware.NetworkInterface('eth0', os.environ['LANE_MAC'], ipv4_address='172.22.0.1')]

    def list_block_devices(self, include_partitions=False, **more):
        return [hardware.BlockDevice('/dev/fake0', 'Fake', 120 * 1024 ** 3, False, serial='S1')]

    def get_os_install_device(self, permit_refresh=False):
        return '/dev/fake0'

    def full_sync(self):
        pass

    def list_hardware_info(self, **more):
        return {
            'interfaces': self.list_network_interfaces(),
            'disks': self.list_block_devices(),
            'cpu': hardware.CPU('Fake', 2000, 4, 'x86_64'),
            'memory': hardware.Memory(16 * 1024 ** 3, physical_mb=16384),
            'bmc_address': None,
            'bmc_v6address': None,
            'system_vendor': hardware.SystemVendorInfo('Fake', 'S0', 'Maker', hardware.SystemFirmware('Maker', '1', '')),
            'boot': hardware.BootInfo('uefi'),
            'hostname': 'lane',
        }

    def generate_tls_certificate(self, ip_address):
        certificate, key = (os.path.join(os.environ['HOME'], name) for name in ('agent.crt', 'agent.key'))
        text = tls_utils._generate_tls_certificate(certificate, key, 'lane', ip_address)
        return tls_utils.TlsCertificate(text, certificate, key)
