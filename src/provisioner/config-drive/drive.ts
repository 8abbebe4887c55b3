import { Fault } from '../../core/fault.ts'
import type { DriveContent } from './files.ts'
import { gzip } from './gzip.ts'
import { disc } from './iso.ts'

/** Agents make a partition of at most this size for it. */
const largest = 64 * 1024 * 1024

/** A config drive as agents take it: a disc labelled config-2, in the format of gzip, as text. */
export function configDrive({ meta_data, user_data, network_data }: DriveContent): string {
  const file = (name: string, text: string) => ({ name, bytes: Buffer.from(text) })
  const image = disc('config-2', [
    {
      name: 'openstack',
      children: [
        {
          name: 'latest',
          children: [
            file('meta_data.json', JSON.stringify(meta_data)),
            ...(network_data === undefined ? [] : [file('network_data.json', JSON.stringify(network_data))]),
            ...(user_data === undefined ? [] : [file('user_data', user_data)]),
          ],
        },
      ],
    },
  ])
  if (image.length > largest)
    throw new Fault(
      'provisioner/too-large',
      `Cannot make the config drive: it has ${image.length} bytes, and ${largest} are the most`,
      'when-changed',
    )
  return gzip(image).toString('base64')
}
