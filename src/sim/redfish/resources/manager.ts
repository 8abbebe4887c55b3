import type { JsonObject } from '../../../core/json.ts'
import { macOf, uuidOf } from '../../machine/identity.ts'
import { firmwareVersion } from '../../machine/machine.ts'
import { isOn } from '../../misbehaviour/switches.ts'
import { withWritten } from '../bmc.ts'
import { done, type Extra, type Kit } from '../node.ts'
import { collection, fixed, healthy, iso, shape } from './shape.ts'
import { patchPlain } from './system.ts'

/** The BMC itself. */
export const manager: Extra = kit => {
  const { make, at } = kit
  const path = at.manager
  collection(kit, `${at.root}/Managers`, 'ManagerCollection', 'Manager Collection', [make.ids.manager])
  const body = shape(kit, path, 'Manager.v1_17_0.Manager', 'Manager', common(kit))
  kit.node(path, {
    read(bmc) {
      const { machine } = bmc
      const part = machine.model.firmware.find(({ kind }) => kind === 'BMC')
      return withWritten(bmc, path, {
        ...body,
        UUID: uuidOf(1_000_000 + machine.number),
        FirmwareVersion: part ? firmwareVersion(machine, part.id)! : null,
        DateTime: iso(isOn(machine, 'clock-reset') ? machine.site.clock.elapsed() : machine.site.clock.now()),
        DateTimeLocalOffset: '+00:00',
      })
    },
    patch(bmc, call) {
      patchPlain(bmc, path, call.body(), ['DateTime', 'DateTimeLocalOffset', 'LocationIndicatorActive'])
      return done
    },
  })
  kit.node(`${path}/Actions/Manager.ResetToDefaults`, {
    action: true,
    post(bmc) {
      bmc.written = undefined
      bmc.password = undefined
      return done
    },
  })
  network(kit)
}

function common({ make, at }: Kit): JsonObject {
  const path = at.manager
  const under = (name: string): JsonObject => at.to(`${path}/${name}`)
  const { managerResets } = make.power
  return {
    ManagerType: 'BMC',
    Model: make.managerModel,
    Status: healthy,
    PowerState: 'On',
    ServiceEntryPointUUID: null,
    GraphicalConsole: { ServiceEnabled: true, MaxConcurrentSessions: 4, ConnectTypesSupported: ['KVMIP'] },
    NetworkProtocol: under('NetworkProtocol'),
    EthernetInterfaces: under('EthernetInterfaces'),
    LogServices: under('LogServices'),
    ...(make.media.under.includes('Managers') ? { VirtualMedia: under('VirtualMedia') } : {}),
    Links: { ManagerForServers: [at.to(at.system)], ManagerForChassis: [at.to(at.chassis)], ManagerInChassis: at.to(at.chassis) },
    Actions: {
      '#Manager.Reset': {
        target: at.spell(`${path}/Actions/Manager.Reset`),
        ...(managerResets.length > 0 ? { 'ResetType@Redfish.AllowableValues': managerResets } : {}),
      },
      '#Manager.ResetToDefaults': {
        target: at.spell(`${path}/Actions/Manager.ResetToDefaults`),
        'ResetType@Redfish.AllowableValues': ['ResetAll', 'PreserveNetworkAndUsers'],
      },
    },
  }
}

function network(kit: Kit): void {
  const { at } = kit
  const path = at.manager
  collection(kit, `${path}/EthernetInterfaces`, 'EthernetInterfaceCollection', 'BMC Ethernet Interfaces', ['1'])
  const nic = shape(kit, `${path}/EthernetInterfaces/1`, 'EthernetInterface.v1_9_0.EthernetInterface', 'BMC network', {
    InterfaceEnabled: true,
    LinkStatus: 'LinkUp',
    SpeedMbps: 1000,
    Status: healthy,
  })
  kit.node(`${path}/EthernetInterfaces/1`, {
    read: ({ machine }) => ({ ...nic, MACAddress: macOf(machine.number, 15), HostName: `${machine.name}-bmc` }),
  })
  const protocol = `${path}/NetworkProtocol`
  const services = shape(kit, protocol, 'ManagerNetworkProtocol.v1_9_0.ManagerNetworkProtocol', 'Network protocols', {
    HTTPS: { ProtocolEnabled: true, Port: 443, Certificates: at.to(`${protocol}/HTTPS/Certificates`) },
    HTTP: { ProtocolEnabled: false, Port: 80 },
    IPMI: { ProtocolEnabled: false, Port: 623 },
    SSH: { ProtocolEnabled: false, Port: 22 },
    NTP: { ProtocolEnabled: false, NTPServers: [] },
    Status: healthy,
  })
  kit.node(protocol, {
    read: bmc => withWritten(bmc, protocol, { ...services, HostName: `${bmc.machine.name}-bmc` }),
    patch(bmc, call) {
      patchPlain(bmc, protocol, call.body(), ['NTP', 'HTTP', 'IPMI', 'SSH', 'HostName'])
      return done
    },
  })
  fixed(kit, `${protocol}/HTTPS/Certificates/1`, 'Certificate.v1_7_0.Certificate', 'HTTPS certificate', {
    CertificateType: 'PEM',
    Subject: { CommonName: 'rackwright simulated rack' },
    Issuer: { CommonName: 'rackwright simulated rack' },
    KeyUsage: ['ServerAuthentication'],
  })
  collection(kit, `${protocol}/HTTPS/Certificates`, 'CertificateCollection', 'Certificates', ['1'])
}
