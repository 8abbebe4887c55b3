import { serverBioses, serverFirmwares } from '../../../controllers/firmware/resources.ts'
import { Fault } from '../../../core/fault.ts'
import type { Reader } from '../../../ports/index.ts'

/** The objects about a server, or all of them. A name may be that of a server or of an object. */
export async function readTargets(kube: Reader, name: string | undefined) {
  const [bioses, firmwares] = await Promise.all([kube.list(serverBioses), kube.list(serverFirmwares)])
  const all = [...bioses.items, ...firmwares.items]
  if (name === undefined || name === '') return all
  const found = all.filter(({ metadata, spec }) => metadata.name === name || spec.serverRef.name === name)
  if (found.length > 0) return found
  throw new Fault(
    'cli/no-firmware',
    `Cannot find "${name}": no ServerBIOS or ServerFirmware is called so or is about such a server`,
    'never',
    {
      hint: 'rackwright firmware status lists them',
    },
  )
}
