import { kind } from '../kind.ts'
import { int64, listMap, object, oneOf, optional, string } from '../schema.ts'
import { conditions, objectRef, observedGeneration } from '../shapes.ts'
import { bootPolicy } from './boot-policy.ts'
import { metal } from './group.ts'
import { served } from './served.ts'

/** What a boot configuration says besides its server: shared with the template of a maintenance. */
export const bootFields = () => ({
  image: optional(string('The OCI image to boot from.', { maxLength: 1024 })),
  ignitionSecretRef: optional(objectRef('A Secret in the same namespace whose key ignition configures the system.')),
  bootPolicy: optional(bootPolicy()),
})

const status = () =>
  object(
    {
      state: optional(oneOf(['Pending', 'Ready', 'Error'], 'Whether a server can boot from this.')),
      httpBootURI: optional(string('The stable address of what is booted over HTTP, without a ticket.', { format: 'uri' })),
      image: optional(
        object(
          {
            generation: int64('The generation of the configuration for which the image was looked up.'),
            digest: string('The digest of the image’s manifest: what is booted, whatever becomes of the tag.'),
            artifacts: listMap(
              ['role'],
              object(
                {
                  role: oneOf(['kernel', 'initramfs', 'squashfs', 'uki', 'iso'], 'What it is good for.'),
                  digest: string('Its digest.'),
                  bytes: int64('Its size.'),
                },
                'A file of the image.',
              ),
              'What a server can boot of it.',
            ),
          },
          'The image as it was found when it was pinned.',
        ),
      ),
      served: optional(served()),
      observedGeneration: optional(observedGeneration()),
      conditions: optional(conditions()),
    },
    'What became of it.',
  )

export const serverBootConfiguration = kind({
  ...metal,
  moves: true,
  kind: 'ServerBootConfiguration',
  plural: 'serverbootconfigurations',
  shortNames: ['sbc'],
  scope: 'Namespaced',
  description:
    'What a server boots next. Made by a claim, a maintenance or the discovery, and gone with it. The annotation metal.ironcore.dev/provisioned: "true" says that its first boot is done.',
  fields: {
    spec: object({ serverRef: objectRef('The Server that boots it.'), ...bootFields() }, 'What is booted, and how.'),
    status: optional(status()),
  },
  columns: [
    { name: 'ServerRef', type: 'string', jsonPath: '.spec.serverRef.name' },
    { name: 'Image', type: 'string', jsonPath: '.spec.image' },
    { name: 'IgnitionRef', type: 'string', jsonPath: '.spec.ignitionSecretRef.name', priority: 1 },
    { name: 'FirstBoot', type: 'string', jsonPath: '.spec.bootPolicy.firstBoot', priority: 1 },
    { name: 'State', type: 'string', jsonPath: '.status.state' },
  ],
  example: {
    metadata: { name: 'my-claim', namespace: 'default' },
    spec: {
      serverRef: { name: 'my-server' },
      image: 'registry.example.com/os:uki',
      ignitionSecretRef: { name: 'my-ignition' },
      bootPolicy: { firstBoot: 'UefiHttp', boot: 'Hdd' },
    },
  },
})
