import { serverBiosSets, serverFirmwareSets } from '../../../controllers/firmware/resources.ts'
import { operationAnnotation } from '../../../controllers/metal/operation.ts'
import { Fault } from '../../../core/fault.ts'
import { withApi } from '../../api.ts'
import type { Options } from '../../catalogue/command.ts'

/** Goes on with a rollout that stopped: those that failed are taken note of, the others get their turn. */
export const firmwareResume = (options: Options, name = ''): Promise<number> =>
  withApi(options, async kube => {
    const merge = { metadata: { annotations: { [operationAnnotation]: 'resume' } } }
    const [bios, firmware] = await Promise.all([kube.find(serverBiosSets, { name }), kube.find(serverFirmwareSets, { name })])
    if (bios) await kube.patch(serverBiosSets, { name }, { merge })
    if (firmware) await kube.patch(serverFirmwareSets, { name }, { merge })
    const set = bios ?? firmware
    if (!set)
      throw new Fault(
        'cli/no-firmware-set',
        `Cannot find "${name}": there is no ServerBIOSSet and no ServerFirmwareSet of that name`,
        'never',
      )
    console.log(`${name} goes on. It had stopped because ${set.status?.paused?.reason ?? 'of nothing: it was not paused'}.`)
    return 0
  })
