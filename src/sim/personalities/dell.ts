import type { FirmwarePart } from '../machine/model.ts'
import { percentOf } from '../machine/tasks.ts'
import type { Extra } from '../redfish/node.ts'
import { Refusal } from '../redfish/refusal.ts'
import { makeJob } from '../redfish/resources/bios.ts'
import { members } from '../redfish/resources/shape.ts'
import { visibleTask } from '../redfish/tasks.ts'
import { choice, entry, toggle, usualTimes, valuesOf, whole, words } from './common.ts'
import type { Personality } from './personality.ts'

const bios = [
  choice('BootMode', 'Uefi', 'Bios'),
  toggle('HttpDev1EnDis', 'Enabled'),
  words('HttpDev1Uri'),
  choice('HttpDev1TlsMode', 'None', 'OneWay'),
  toggle('ProcVirtualization', 'Enabled'),
  toggle('LogicalProc', 'Enabled'),
  toggle('SriovGlobalEnable', 'Disabled'),
  choice('SysProfile', 'PerfPerWattOptimizedDapc', 'PerfOptimized', 'Custom'),
  choice('AcPwrRcvry', 'Last', 'On', 'Off'),
  // Negative bounds are real: the registry of an iDRAC has them for offsets.
  whole('AcPwrRcvryUserDelay', 120, -240, 600),
  { name: 'SetupPassword', type: 'Password', value: null, maxLength: 32 },
  { name: 'SystemServiceTag', type: 'String', value: '', readOnly: true },
  words('AssetTag', '', 63),
] as const

/** Every part is listed three times, as what runs, what could run and what ran before; that is why the inventory comes in pages. */
const firmware: readonly FirmwarePart[] = [
  { id: 'Installed-159__BIOS.Setup.1-1', name: 'BIOS', version: '1.8.2', kind: 'BIOS' },
  { id: 'Installed-25227__iDRAC.Embedded.1-1', name: 'Integrated Dell Remote Access Controller', version: '6.00.30.00', kind: 'BMC' },
  ...Array.from({ length: 17 }, (_, n) => n).flatMap(n =>
    ['Current', 'Installed', 'Previous'].map(
      (state): FirmwarePart => ({
        id: `${state}-${1000 + n}__Device.Slot.${n}-1`,
        name: `Device in slot ${n}`,
        version: '20.0.17',
        kind: n < 4 ? 'NIC' : 'Drive',
      }),
    ),
  ),
]

const jobs: Extra = kit => {
  const path = `${kit.at.manager}/Oem/Dell/Jobs`
  kit.node(path, {
    read: bmc =>
      members(
        kit,
        path,
        'DellJobCollection',
        'Jobs',
        (bmc.tasks ?? []).map(({ id }) => id),
      ),
    post(bmc, call) {
      if (typeof call.body()['TargetSettingsURI'] !== 'string') throw new Refusal(400, 'PropertyMissing', ['TargetSettingsURI'])
      if (!bmc.drafts) throw new Refusal(400, 'NoOperation')
      if (bmc.tasks?.some(({ kind, state }) => kind === 'settings' && state === 'Pending')) throw new Refusal(400, 'ResourceInUse')
      return makeJob(bmc)
    },
  })
  kit.family(`${path}/*`, (bmc, id) => {
    const task = visibleTask(bmc, id)
    if (!task) return undefined
    return {
      read: () => ({
        '@odata.id': `${path}/${id}`,
        '@odata.type': '#DellJob.v1_2_0.DellJob',
        Id: id,
        Name: task.name,
        JobType: task.kind === 'settings' ? 'BIOSConfiguration' : 'FirmwareUpdate',
        JobState: { Running: 'Running', Pending: 'Scheduled', Completed: 'Completed', Exception: 'Failed' }[task.state],
        PercentComplete: percentOf(task, bmc.site.clock.now()),
        Message: task.message,
      }),
    }
  })
}

const linksToJobs: Extra = kit => {
  const settings = `${kit.at.system}/Bios/Settings`
  kit.change(settings, node => ({
    ...node,
    read: bmc => ({ ...node.read!(bmc), Oem: { Dell: { Jobs: kit.at.to(`${kit.at.manager}/Oem/Dell/Jobs`) } } }),
  }))
}

/** PowerEdge with iDRAC9 6.x: settings become jobs, accounts sit in slots, media show under Systems and Managers. */
export const dell: Personality = {
  name: 'dell',
  vendor: 'Dell',
  product: 'Integrated Dell Remote Access Controller',
  redfishVersion: '1.13.1',
  manufacturer: 'Dell Inc.',
  model: 'PowerEdge R750',
  managerModel: 'iDRAC9',
  ids: { system: 'System.Embedded.1', manager: 'iDRAC.Embedded.1', chassis: 'System.Embedded.1' },
  machine: {
    times: usualTimes,
    // Vendor-defined paths only, as recorded: the names have to tell what the entries are.
    bootEntries: [
      entry('Boot0000', 'HTTP Device 1: NIC in Slot 5 Port 1', 'UefiHttp', 'VenHw(986D1755-B9D0-4F8D-A0DA-D1DB18672045)'),
      entry('Boot0001', 'PXE Device 1: Integrated NIC 1 Port 1 Partition 1', 'Pxe', 'VenHw(3A191845-5F86-4E78-8FCE-C4CFF59F9DAA)'),
      entry('Boot0002', 'NVMe Drive 1: Boot Drive', 'Hdd', 'VenHw(D6C0639F-C705-4EB9-AA4F-5802D8823DE6)'),
      entry('Boot0003', 'Virtual Optical Drive', 'Cd', 'VenHw(8E2F5C1A-3B8C-4C71-9A3C-1D2E5B7A9F00)'),
    ],
    bootOrder: ['Boot0002', 'Boot0003', 'Boot0001'],
    bios: valuesOf(bios),
    firmware,
    httpNeeds: { attribute: 'HttpDev1EnDis', value: 'Enabled' },
    httpUriAttribute: 'HttpDev1Uri',
  },
  power: {
    resetTypes: ['On', 'ForceOff', 'ForceRestart', 'GracefulRestart', 'GracefulShutdown', 'PushPowerButton', 'Nmi', 'PowerCycle'],
    listed: 'inline',
    already: 409,
    managerResets: ['GracefulRestart'],
  },
  boot: {
    targets: ['None', 'Pxe', 'Floppy', 'Cd', 'Hdd', 'BiosSetup', 'Utilities', 'UefiTarget', 'SDCard', 'UefiHttp'],
    lasts: ['Disabled', 'Once', 'Continuous'],
    mode: 'UEFI',
    settings: { name: 'Settings', takes: 'order' },
    orderWritable: true,
  },
  bios: {
    entries: bios,
    settings: 'Settings',
    shows: 'pending',
    applyTimes: ['OnReset', 'AtMaintenanceWindowStart', 'InMaintenanceWindowOnReset'],
    // The resource names one version and the registry file has another.
    registry: 'BiosAttributeRegistry.v1_0_3',
    registryFile: 'BiosAttributeRegistry.v1_0_0',
    registryUri: '/redfish/v1/Systems/System.Embedded.1/Bios/BiosRegistry',
    language: 'en',
    resetRequired: true,
    asJob: true,
  },
  media: {
    under: ['Systems', 'Managers'],
    slots: [
      { id: 'CD', name: 'Virtual CD', types: ['CD', 'DVD'], insert: 'action' },
      { id: 'RemovableDisk', name: 'Virtual Removable Disk', types: ['Floppy', 'USBStick'], insert: 'action' },
    ],
    systemSlots: [
      { id: '1', name: 'VirtualMedia Instance 1', types: ['CD', 'DVD', 'USBStick'], insert: 'action' },
      { id: '2', name: 'VirtualMedia Instance 2', types: ['CD', 'DVD', 'USBStick'], insert: 'action' },
    ],
    schemes: ['http', 'https', 'nfs', 'cifs'],
  },
  update: {
    simpleUpdate: '/redfish/v1/UpdateService/Actions/UpdateService.SimpleUpdate',
    multipart: '/redfish/v1/UpdateService/MultipartUpload',
    applyTimes: ['Immediate', 'OnReset', 'OnStartUpdateRequest'],
    names: 'location',
    monitorOf: id => `/redfish/v1/TaskService/TaskMonitors/${id}`,
    appearsAfter: 3_000,
    forgottenAfter: 600_000,
  },
  protocol: {
    expandLevels: 1,
    select: true,
    only: true,
    pageSize: 50,
    etag: 'weak',
    ifMatch: 'checked',
    ifMatchOnActions: 'refused',
    sessionLimit: 8,
    sessionSeconds: 1800,
    lockout: { failures: 5, seconds: 600 },
    says: {
      SessionLimitExceeded: 'IDRAC.2.8.RAC0218',
      NoOperation: 'IDRAC.2.8.PSU501',
      ResourceInUse: 'IDRAC.2.8.SYS518',
    },
  },
  accountSlots: 16,
  extras: [jobs, linksToJobs],
}
