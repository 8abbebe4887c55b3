import { dataImages } from '../../../controllers/metal3/resources.ts'
import { withApi } from '../../api.ts'
import type { Options } from '../../catalogue/command.ts'
import { namespaceOf } from '../../target.ts'

/** Takes the disc of a host away: at its next start, or at once. */
export const eject = (options: Options, name = ''): Promise<number> =>
  withApi(options, async kube => {
    const key = { name, namespace: namespaceOf(options) }
    if (options['now'] === true) await kube.patch(dataImages, key, { merge: { spec: { immediate: true } } })
    await kube.delete(dataImages, key)
    console.log(
      `The disc of ${key.namespace}/${name} is taken out ${options['now'] === true ? 'at once' : 'at its next restart or power-on'}.`,
    )
    return 0
  })
