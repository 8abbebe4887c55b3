import { histories } from '../../../controllers/boot-images/resources.ts'
import { Fault } from '../../../core/fault.ts'
import { withApi } from '../../api.ts'
import { agreed } from '../../ask.ts'
import type { Action } from '../../catalogue/command.ts'
import { findHistory } from './find.ts'

/** Goes back to a boot image of the history and stays there; `--release` ends the stay. */
export const imageRestore: Action = (options, name = '', wanted = '') =>
  withApi(options, async kube => {
    const { metadata, status, spec } = await findHistory(kube, name, options)
    const key = { name: metadata.name, namespace: metadata.namespace ?? '' }
    if (options['release'] === true) {
      await kube.patch(histories, key, { merge: { spec: { restore: null } } })
      console.log(`${name} follows the releases again.`)
      return 0
    }
    const found = status?.details?.find(({ image, bootImageVersion }) => image === wanted || bootImageVersion === wanted)
    if (found?.image === undefined)
      throw new Fault('cli/no-image', `Cannot go back to "${wanted}": ${name} never had it`, 'never', {
        hint: `rackwright image history ${name}`,
      })
    const question = `New machines of ${spec.machineResourceReference.name} will boot ${found.image} until you release it.`
    if (!(await agreed(options, question))) return 1
    await kube.patch(histories, key, { merge: { spec: { restore: found.image } } })
    console.log(`${name} goes back to ${found.image} and stays there. rackwright image restore ${name} --release ends that.`)
    return 0
  })
