import { kind } from '../kind.ts'
import { anything, array, boolean, int64, map, object, oneOf, optional, string } from '../schema.ts'
import { conditions, namespacedRef, time } from '../shapes.ts'
import { agentInstall } from './group.ts'

const spec = () =>
  object(
    {
      clusterDeploymentName: optional(namespacedRef('The cluster that it joins; it waits while there is none.')),
      role: optional(oneOf(['', 'auto-assign', 'master', 'worker', 'bootstrap', 'arbiter'], 'What it becomes in its cluster.')),
      hostname: optional(string('What it is called.')),
      machineConfigPool: optional(string('Its pool of machine configs.')),
      approved: optional(boolean('Whether it may be installed.')),
      installation_disk_id: optional(string('The disk that is installed to, as its inventory names it.')),
      installation_disk_path: optional(string('Of old: the same by its path.')),
      installerArgs: optional(string('What coreos-installer is told besides, as a JSON list.')),
      ignitionConfigOverrides: optional(string('Ignition that is laid over the rest, as JSON.')),
      nodeLabels: optional(map(string('The value.'), 'Labels of its node.')),
      fencingCredentialsSecretRef: optional(
        object({ name: optional(string('Its name.')) }, 'A Secret with which its neighbours fence it.', {
          'x-kubernetes-map-type': 'atomic',
        }),
      ),
      ignitionEndpointTokenReference: optional(namespacedRef('A Secret with the token of a machine-config server.')),
    },
    'What is wanted.',
  )

const networkInterface = () =>
  object(
    {
      name: optional(string('Its name.')),
      macAddress: optional(string('Its hardware address.')),
      ipV4Addresses: optional(array(string('An address.'), 'Its addresses.')),
      ipV6Addresses: optional(array(string('An address.'), 'Its addresses.')),
      hasCarrier: optional(boolean('Whether something is plugged in.')),
      speedMbps: optional(int64('Its speed.')),
    },
    'An interface.',
    { 'x-kubernetes-preserve-unknown-fields': true },
  )

const disk = () =>
  object(
    {
      id: optional(string('What it is called everywhere else.')),
      path: optional(string('Its device.')),
      byPath: optional(string('Its link below /dev/disk/by-path.')),
      byID: optional(string('Its link below /dev/disk/by-id.')),
      driveType: optional(string('SSD, HDD, Multipath, …')),
      sizeBytes: optional(int64('Its size.')),
      model: optional(string('Its model.')),
      vendor: optional(string('Who made it.')),
      serial: optional(string('Its serial number.')),
      wwn: optional(string('Its World Wide Name.')),
      hctl: optional(string('Its SCSI bus address.')),
    },
    'A disk.',
    { 'x-kubernetes-preserve-unknown-fields': true },
  )

const inventory = () =>
  object(
    {
      hostname: optional(string('What it calls itself.')),
      bmcAddress: optional(string('Its management controller.')),
      interfaces: optional(array(networkInterface(), 'Its interfaces.')),
      disks: optional(array(disk(), 'Its disks.')),
      cpu: optional(anything('Its processors.')),
      memory: optional(
        object({ physicalBytes: optional(int64('What is plugged in.')), usableBytes: optional(int64('What can be used.')) }, 'Its memory.'),
      ),
      boot: optional(anything('How it was booted.')),
      systemVendor: optional(anything('Who made it.')),
    },
    'What it is made of, as the assisted agent found it.',
    { 'x-kubernetes-preserve-unknown-fields': true },
  )

const progress = () =>
  object(
    {
      currentStage: optional(string('What is being done.')),
      progressInfo: optional(string('More about that.')),
      installationPercentage: optional(int64('How far it is.')),
      stageStartTime: optional(time('When that began.')),
      stageUpdateTime: optional(time('When it was last heard of.')),
      progressStages: optional(array(string('A stage.'), 'All of them.')),
    },
    'How far the installation is.',
  )

const status = () =>
  object(
    {
      bootstrap: optional(boolean('It begins its cluster.')),
      role: optional(string('What it becomes.')),
      inventory: optional(inventory()),
      progress: optional(progress()),
      ntpSources: optional(array(anything('A server of time.'), 'Where its time comes from.')),
      installation_disk_id: optional(string('The disk that is installed to.')),
      validationsInfo: optional(anything('What was checked.')),
      debugInfo: optional(
        object(
          {
            state: optional(string('Where it stands, as the assisted service says it.')),
            stateInfo: optional(string('The same in words.')),
            eventsURL: optional(string('What happened.')),
            logsURL: optional(string('What it wrote.')),
          },
          'For people.',
        ),
      ),
      kind: optional(string('Host or AddToExistingClusterHost.')),
      conditions: optional(conditions()),
    },
    'What became of it.',
    { 'x-kubernetes-preserve-unknown-fields': true },
  )

export const agent = kind({
  ...agentInstall,
  kind: 'Agent',
  plural: 'agents',
  scope: 'Namespaced',
  description:
    'A machine on which the assisted agent runs: made by the assisted service when one calls, installed once it is approved and belongs to a cluster.',
  fields: { spec: optional(spec()), status: optional(status()) },
  columns: [
    { name: 'Cluster', type: 'string', jsonPath: '.spec.clusterDeploymentName.name' },
    { name: 'Approved', type: 'boolean', jsonPath: '.spec.approved' },
    { name: 'Role', type: 'string', jsonPath: '.status.role' },
    { name: 'Stage', type: 'string', jsonPath: '.status.progress.currentStage' },
    { name: 'Hostname', type: 'string', jsonPath: '.status.inventory.hostname', priority: 1 },
  ],
  example: { metadata: { name: '4c4c4544-0051-4a10-8057-b4c04f4e3332', namespace: 'edge' }, spec: { approved: true, role: 'worker' } },
})
