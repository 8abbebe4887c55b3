import { kind } from '../kind.ts'
import { anything, array, boolean, defaulted, object, oneOf, optional, rule, string } from '../schema.ts'
import { metal3 } from './group.ts'
import { customDeploy, hostImage } from './host-image.ts'
import { hostStatus } from './host-status.ts'
import { raid } from './raid.ts'
import { rootDeviceHints } from './root-device-hints.ts'

const secretReference = (description: string) =>
  object({ name: optional(string('Its name.')), namespace: optional(string('Its namespace: the host’s own.')) }, description, {
    'x-kubernetes-map-type': 'atomic',
  })

const objectReference = (description: string) =>
  object(
    Object.fromEntries(
      ['apiVersion', 'fieldPath', 'kind', 'name', 'namespace', 'resourceVersion', 'uid'].map(field => [
        field,
        optional(string(`The ${field} of it.`)),
      ]),
    ),
    description,
    { 'x-kubernetes-map-type': 'atomic' },
  )

const networkInterface = () =>
  object(
    {
      name: optional(string('The interface’s name; or its hardware address.')),
      macAddress: optional(string('The interface’s hardware address; or its name.')),
      hostNetworkAttachment: optional(
        object(
          { name: string('Its name.', { maxLength: 253 }), namespace: optional(string('Its namespace.', { maxLength: 63 })) },
          'A network.',
        ),
      ),
      switchPort: optional(
        object({ switchID: optional(string('The switch.')), portID: optional(string('Its port.')) }, 'Where it is plugged in.'),
      ),
    },
    'An interface. Accepted, and left to whoever manages switches.',
  )

const deprecated = {
  taints: optional(array(anything('A taint.'), 'Of old; nothing follows from it.')),
  firmware: optional(anything('Of old; HostFirmwareSettings does this.')),
  hardwareProfile: optional(string('Of old; rootDeviceHints do this.')),
}

const spec = () =>
  rule(
    rule(
      object(
        {
          online: boolean('Whether it shall be on.'),
          bmc: optional(
            object(
              {
                address: string(
                  'Where its management controller is, and how it boots: redfish-virtualmedia://10.0.0.2/redfish/v1/Systems/1.',
                ),
                credentialsName: string('A Secret in the same namespace with username and password.'),
                disableCertificateVerification: optional(boolean('Believes any certificate; a condition says so.')),
              },
              'How to reach its management controller.',
            ),
          ),
          bootMACAddress: optional(string('The interface that it boots from.', { pattern: '[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}' })),
          bootMode: optional(
            oneOf(
              ['UEFI', 'UEFISecureBoot', 'legacy'],
              'How it boots. UEFI where missing; the others are refused for hosts that are still to be installed.',
            ),
          ),
          architecture: optional(string('Its processor; where missing, what its inspection finds, else x86_64.')),
          rootDeviceHints: optional(rootDeviceHints('The disk that is installed to.')),
          image: optional(hostImage('What is installed.')),
          customDeploy: optional(customDeploy('Installs by a step of the agent’s own.')),
          userData: optional(secretReference('What configures the installed system.')),
          networkData: optional(secretReference('The network settings of the installed system.')),
          metaData: optional(secretReference('Facts for the installed system.')),
          preprovisioningNetworkDataName: optional(string('A Secret with the network settings of the ramdisk.')),
          raid: optional(raid('Volumes that are made before it is available.')),
          automatedCleaningMode: defaulted(oneOf(['metadata', 'disabled'], 'Whether its disks are made to look empty.'), 'metadata'),
          inspectionMode: optional(oneOf(['disabled', 'agent', 'fast'], 'fast asks its controller alone, and starts nothing.')),
          externallyProvisioned: optional(boolean('Somebody else installed it: nothing but its power is managed.')),
          disablePowerOff: optional(boolean('It is never switched off; restarts take the place of that.')),
          consumerRef: optional(objectReference('Who uses it.')),
          networkInterfaces: optional(array(networkInterface(), 'Its interfaces and their networks.')),
          description: optional(string('For people.')),
          ...deprecated,
        },
        'What is wanted.',
      ),
      '!(has(self.disablePowerOff) && self.disablePowerOff && !self.online)',
      'a host with disablePowerOff cannot be offline',
    ),
    '!has(oldSelf.bootMACAddress) || (has(self.bootMACAddress) && self.bootMACAddress.lowerAscii() == oldSelf.bootMACAddress.lowerAscii())',
    'bootMACAddress cannot be changed once it is set',
  )

export const bareMetalHost = kind({
  ...metal3,
  kind: 'BareMetalHost',
  plural: 'baremetalhosts',
  shortNames: ['bmh', 'bmhost'],
  scope: 'Namespaced',
  description:
    'A machine as Metal3 describes it: registered, inspected, installed with an image and given back. Cluster API’s Metal3 provider uses these.',
  fields: { spec: optional(spec()), status: optional(hostStatus()) },
  columns: [
    { name: 'Status', type: 'string', jsonPath: '.status.operationalStatus', priority: 1 },
    { name: 'State', type: 'string', jsonPath: '.status.provisioning.state' },
    { name: 'Consumer', type: 'string', jsonPath: '.spec.consumerRef.name' },
    { name: 'BMC', type: 'string', jsonPath: '.spec.bmc.address', priority: 1 },
    { name: 'Online', type: 'string', jsonPath: '.spec.online' },
    { name: 'Error', type: 'string', jsonPath: '.status.errorType' },
  ],
  example: {
    metadata: { name: 'worker-0', namespace: 'metal3' },
    spec: {
      online: true,
      bootMACAddress: '52:54:00:12:34:56',
      bmc: { address: 'redfish-virtualmedia://10.0.0.14/redfish/v1/Systems/1', credentialsName: 'worker-0-bmc' },
    },
  },
})
