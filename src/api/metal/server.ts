import { kind } from '../kind.ts'
import { array, boolean, defaulted, immutable, integer, listMap, object, oneOf, optional, rule, string } from '../schema.ts'
import { conditions, namespacedRef, objectRef, observedGeneration, time } from '../shapes.ts'
import { bmcProtocol, bmcSecretRef } from './bmc.ts'
import { boot, earlierBoot } from './boot.ts'
import { metal } from './group.ts'
import { inventoryFields } from './server-inventory.ts'

export const serverStates = ['Initial', 'Discovery', 'Available', 'Reserved', 'Released', 'Maintenance', 'Parked', 'Error'] as const
export const powerStates = ['On', 'Off', 'Paused', 'PoweringOn', 'PoweringOff'] as const
const led = (description: string) => oneOf(['Unknown', 'Lit', 'Blinking', 'Off'], description)

/** A claim is taken and let go as a whole; it never turns into another. */
const claimRef = () =>
  immutable(
    object(
      {
        namespace: string('Its namespace.', { minLength: 1, maxLength: 63 }),
        name: string('Its name.', { minLength: 1, maxLength: 253 }),
        uid: optional(string('Its UID, so that another claim of the same name is not taken for it.')),
      },
      'The ServerClaim that has this server.',
      { 'x-kubernetes-map-type': 'atomic' },
    ),
    'serverClaimRef',
  )

/** While it is there nobody else switches the machine, and no claim takes it: one job at a time may write its firmware. */
const updateRef = () =>
  object(
    {
      kind: oneOf(['ServerBIOS', 'ServerFirmware'], 'The kind of the object that the job works for.'),
      name: string('Its name.', { minLength: 1, maxLength: 253 }),
      uid: string('Its UID.', { minLength: 1 }),
      job: string('The name of the Job.', { minLength: 1, maxLength: 63 }),
      maintenance: optional(namespacedRef('The ServerMaintenance that allows it, where the server is not simply free.')),
    },
    'The update job that has this server; filled in.',
    { 'x-kubernetes-map-type': 'atomic' },
  )

const access = () =>
  object(
    { address: string('Where the controller is.', { minLength: 1 }), protocol: bmcProtocol(), bmcSecretRef: bmcSecretRef() },
    'The management controller, where there is no BMC object for it.',
  )

const spec = () =>
  rule(
    object(
      {
        systemUUID: string('The UUID of the system, as its management controller reports it.', { minLength: 1 }),
        systemURI: optional(string('Where the system is on its management controller; filled in.')),
        power: optional(
          oneOf(
            ['On', 'Off'],
            'Kept for manifests of other operators, and not acted upon: a claim says whether its server shall be on, and a server without one stays off.',
          ),
        ),
        indicatorLED: optional(led('What its locator light shall show.')),
        reclaimPolicy: defaulted(
          oneOf(
            ['Recycle', 'Retain'],
            'What becomes of the server when its claim goes: it can be claimed again, or is kept for somebody to look at.',
          ),
          'Recycle',
        ),
        bmcRef: optional(objectRef('The BMC that manages this server.')),
        bmc: optional(access()),
        serverClaimRef: optional(claimRef()),
        serverMaintenanceRef: optional(namespacedRef('The ServerMaintenance that holds this server.')),
        bootConfigurationRef: optional(namespacedRef('The ServerBootConfiguration that the server boots.')),
        maintenanceBootConfigurationRef: optional(
          namespacedRef('The ServerBootConfiguration that the server boots while it is in maintenance.'),
        ),
        biosRef: optional(objectRef('The ServerBIOS of this server; filled in.')),
        firmwareRef: optional(objectRef('The ServerFirmware of this server; filled in.')),
        updateRef: optional(updateRef()),
        bootOrder: optional(
          listMap(
            ['name'],
            object(
              {
                name: string('Its name.'),
                priority: integer('Where it stands; the lowest comes first.'),
                device: string('The boot option of the BIOS.'),
              },
              'One boot option.',
            ),
            'The order that the BIOS shall try its boot options in.',
          ),
        ),
        bootOrderPolicy: defaulted(
          oneOf(['Audit', 'Enforce'], 'Whether a boot order other than EFI shell, disk, network is only reported, or set right.'),
          'Audit',
        ),
        taints: optional(
          array(
            object(
              {
                key: string('Its key.', { minLength: 1, maxLength: 316 }),
                value: optional(string('Its value.')),
                effect: defaulted(oneOf(['NoBind', 'Evict'], 'NoBind keeps claims away; Evict is reserved.'), 'NoBind'),
              },
              'One taint.',
            ),
            'What keeps claims away that do not tolerate it.',
          ),
        ),
        unclaimable: defaulted(boolean('Whether no claim may take the server.'), false),
      },
      'What is wanted of the server.',
    ),
    '!(has(self.bmcRef) && has(self.bmc))',
    'only one of bmcRef and bmc may be set',
  )

/** Noted before a server is switched on for a maintenance that boots nothing, and kept until that is over. */
const starting = () =>
  object({ asked: time('When it was asked.'), because: string('Why.') }, 'A switch-on for which nothing was told to be booted.')

/** Noted before a server is switched off, and kept until its next boot: it says why the server is off. */
const stopping = () =>
  object(
    {
      how: oneOf(['graceful', 'forced'], 'Whether its system was asked, or the power was cut.'),
      asked: time('When it was asked.'),
      because: string('Why.'),
      heard: optional(boolean('Whether its management controller took the question. Without that, no power is cut by itself.')),
    },
    'The last time that the server was switched off.',
  )

const status = () =>
  object(
    {
      state: optional(oneOf(serverStates, 'Where the server is in its life.')),
      stateSince: optional(time('Since when.')),
      powerState: optional(oneOf(powerStates, 'Whether the server is on.')),
      indicatorLED: optional(led('What its locator light shows.')),
      boot: optional(boot()),
      earlierBoots: optional(array(earlierBoot(), 'The boots before that, oldest first; five at most.', { maxItems: 5 })),
      stopping: optional(stopping()),
      starting: optional(starting()),
      ...inventoryFields(),
      observedGeneration: optional(observedGeneration()),
      conditions: optional(conditions()),
    },
    'What is known of the server.',
  )

export const server = kind({
  ...metal,
  moves: true,
  kind: 'Server',
  plural: 'servers',
  shortNames: ['srv'],
  scope: 'Cluster',
  description: 'One machine: what it is made of, who has it, and what it is doing.',
  fields: { spec: spec(), status: optional(status()) },
  columns: [
    { name: 'SystemUUID', type: 'string', jsonPath: '.spec.systemUUID' },
    { name: 'Manufacturer', type: 'string', jsonPath: '.status.manufacturer' },
    { name: 'Model', type: 'string', jsonPath: '.status.model' },
    { name: 'Memory', type: 'string', jsonPath: '.status.totalSystemMemory' },
    { name: 'SKU', type: 'string', jsonPath: '.status.sku', priority: 100 },
    { name: 'SerialNumber', type: 'string', jsonPath: '.status.serialNumber', priority: 100 },
    { name: 'IndicatorLED', type: 'string', jsonPath: '.status.indicatorLED', priority: 100 },
    { name: 'Unclaimable', type: 'boolean', jsonPath: '.spec.unclaimable', priority: 100 },
    { name: 'PowerState', type: 'string', jsonPath: '.status.powerState' },
    { name: 'State', type: 'string', jsonPath: '.status.state' },
  ],
  example: {
    metadata: { name: 'my-server', labels: { 'metadata.metal.ironcore.dev/rack': 'rack-1' } },
    spec: { systemUUID: '38947555-7742-3448-3784-823347823834', bmcRef: { name: 'rack-1-slot-4' } },
  },
})
