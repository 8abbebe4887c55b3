import { type DataImage, dataImages } from '../../../controllers/metal3/resources.ts'
import { Fault } from '../../../core/fault.ts'
import { discProblem } from '../../../policy/metal3/data-image.ts'
import type { NewObject } from '../../../ports/index.ts'
import { withApi } from '../../api.ts'
import type { Options } from '../../catalogue/command.ts'
import { namespaceOf } from '../../target.ts'

/** Gives a host a disc that it finds at its next start, or at once. */
export const attach = (options: Options, name = '', url = ''): Promise<number> =>
  withApi(options, async kube => {
    const problem = discProblem(url)
    if (problem !== undefined)
      throw new Fault('cli/media', `Cannot attach "${url}": ${problem.replace('spec.url', 'the address')}`, 'never')
    const namespace = namespaceOf(options)
    const spec = { url, ...(options['now'] === true ? { immediate: true } : {}) }
    if (await kube.find(dataImages, { name, namespace })) await kube.patch(dataImages, { name, namespace }, { merge: { spec } })
    else
      await kube.create(dataImages, {
        apiVersion: 'metal3.io/v1alpha1',
        kind: 'DataImage',
        metadata: { name, namespace },
        spec,
      } as NewObject<DataImage>)
    console.log(`${namespace}/${name} finds ${url} ${options['now'] === true ? 'at once' : 'at its next restart or power-on'}.`)
    return 0
  })
