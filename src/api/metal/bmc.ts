import { kind } from '../kind.ts'
import { defaulted, immutable, integer, object, oneOf, optional, rule, string } from '../schema.ts'
import { conditions, macAddress, objectRef, observedGeneration, time } from '../shapes.ts'
import { metal } from './group.ts'

const port = (description: string) => integer(description, { minimum: 1, maximum: 65_535 })

/** How to speak to a management controller; also part of a Server that has no BMC object. */
export const bmcProtocol = () =>
  object(
    {
      name: oneOf(
        ['Redfish', 'IPMI', 'SSH'],
        'The protocol. Only Redfish is spoken; the others are accepted and reported as not supported.',
      ),
      port: port('The port that it listens on.'),
      scheme: defaulted(oneOf(['http', 'https'], 'Whether the connection is encrypted.'), 'https'),
    },
    'How to speak to the controller.',
  )

/** Names the credentials of a management controller. */
export const bmcSecretRef = () =>
  object(
    {
      name: string('Its name.', { minLength: 1, maxLength: 253 }),
      kind: defaulted(oneOf(['BMCSecret', 'Secret'], 'A BMCSecret, or a Secret in the namespace of the manager.'), 'BMCSecret'),
    },
    'Where the user name and the password are.',
    { 'x-kubernetes-map-type': 'atomic' },
  )

const tls = () =>
  rule(
    object(
      {
        caSecretRef: optional(objectRef('A Secret in the namespace of the manager whose ca.crt signed the certificate.')),
        fingerprint: optional(
          string('The SHA-256 fingerprint of the certificate, in hexadecimal.', { pattern: '^([0-9A-Fa-f]{2}:?){32}$' }),
        ),
        trust: optional(oneOf(['OnFirstUse'], 'OnFirstUse takes the certificate that is seen first and keeps to it.')),
      },
      'Which certificate of the controller is trusted.',
    ),
    '[has(self.caSecretRef), has(self.fingerprint), has(self.trust)].filter(x, x).size() == 1',
    'exactly one of caSecretRef, fingerprint and trust must be set',
  )

const spec = () =>
  rule(
    object(
      {
        bmcUUID: optional(string('The UUID that the controller reports.')),
        endpointRef: optional(immutable(objectRef('The Endpoint where it was seen. Set this or access.'), 'endpointRef')),
        access: optional(
          immutable(
            object(
              { ip: string('Its IP address, v4 or v6.', { maxLength: 45 }), macAddress: optional(macAddress('Its hardware address.')) },
              'Where it is. Set this or endpointRef.',
            ),
            'access',
          ),
        ),
        bmcSecretRef: bmcSecretRef(),
        protocol: bmcProtocol(),
        consoleProtocol: optional(
          object(
            { name: oneOf(['IPMI', 'SSH', 'SSHLenovo'], 'The protocol of the console.'), port: port('The port of the console.') },
            'How to reach the serial console.',
          ),
        ),
        hostname: optional(string('The host name that its certificate is for.', { maxLength: 253 })),
        tls: optional(tls()),
      },
      'How to reach the controller.',
    ),
    'has(self.endpointRef) != has(self.access)',
    'exactly one of endpointRef and access must be set',
  )

const status = () =>
  object(
    {
      macAddress: optional(macAddress('Its hardware address.')),
      ip: optional(string('The address that it was reached at.')),
      manufacturer: optional(string('Who made it.')),
      model: optional(string('Which model it is.')),
      sku: optional(string('Its stock-keeping unit.')),
      serialNumber: optional(string('Its serial number.')),
      systemUUID: optional(string('The UUID of the machine that it speaks for: two BMCs that report the same one are both set aside.')),
      firmwareVersion: optional(string('The version of its firmware.')),
      state: optional(string('Its own state, as Redfish reports it: Enabled, Error, Pending, StandbyOffline and so on.')),
      powerState: optional(
        oneOf(['On', 'Off', 'Paused', 'PoweringOn', 'PoweringOff', 'Unknown'], 'Whether the controller itself is powered.'),
      ),
      lastResetTime: optional(time('When it was last reset.')),
      metricsReportSubscriptionLink: optional(string('Where its metrics subscription is.')),
      eventsSubscriptionLink: optional(string('Where its events subscription is.')),
      observedGeneration: optional(observedGeneration()),
      conditions: optional(conditions()),
    },
    'What is known of the controller.',
  )

export const bmc = kind({
  ...metal,
  moves: true,
  kind: 'BMC',
  plural: 'bmcs',
  scope: 'Cluster',
  description: 'A management controller: where it is, how to speak to it, and with which credentials.',
  fields: { spec: spec(), status: optional(status()) },
  columns: [
    { name: 'MacAddress', type: 'string', jsonPath: '.status.macAddress', priority: 1 },
    { name: 'IP', type: 'string', jsonPath: '.status.ip' },
    { name: 'Manufacturer', type: 'string', jsonPath: '.status.manufacturer' },
    { name: 'Model', type: 'string', jsonPath: '.status.model' },
    { name: 'SerialNumber', type: 'string', jsonPath: '.status.serialNumber', priority: 1 },
    { name: 'FirmwareVersion', type: 'string', jsonPath: '.status.firmwareVersion', priority: 1 },
    { name: 'State', type: 'string', jsonPath: '.status.state' },
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  ],
  example: {
    metadata: { name: 'rack-1-slot-4' },
    spec: {
      access: { ip: '10.0.0.14', macAddress: '52:54:00:12:34:56' },
      bmcSecretRef: { name: 'rack-1-slot-4' },
      protocol: { name: 'Redfish', port: 443 },
      tls: { trust: 'OnFirstUse' },
    },
  },
})
