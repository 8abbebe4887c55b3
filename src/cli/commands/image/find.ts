import { type BootImageHistory, histories } from '../../../controllers/boot-images/resources.ts'
import { Fault } from '../../../core/fault.ts'
import type { Reader } from '../../../ports/index.ts'
import type { Options } from '../../catalogue/command.ts'

/** The history of a machine resource that somebody named, or of that name itself. */
export async function findHistory(kube: Reader, name: string, options: Options): Promise<BootImageHistory> {
  const said = options['namespace']
  const { items } = await kube.list(histories, typeof said === 'string' ? { namespace: said } : {})
  const found = items.filter(({ metadata, spec }) => metadata.name === name || spec.machineResourceReference.name === name)
  const [only] = found
  if (only && found.length === 1) return only
  const names = (found.length > 0 ? found : items).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
  throw new Fault(
    'cli/no-such',
    found.length > 0
      ? `Cannot tell which "${name}" is meant: there are ${names.join(', ')}`
      : `Cannot find a boot image history of "${name}"`,
    'never',
    {
      hint: found.length > 0 ? 'name the history itself, or say -n' : `there are ${names.join(', ') || 'none at all: nothing is opted in'}`,
    },
  )
}
