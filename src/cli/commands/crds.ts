import { crdOf } from '../../api/crd.ts'
import type { Kind } from '../../api/kind.ts'
import { assistedKinds, kinds, metal3Kinds } from '../../api/kinds.ts'
import { yamlText } from '../../api/page.ts'
import { Fault } from '../../core/fault.ts'
import type { Options } from '../catalogue/command.ts'

const parts: Readonly<Record<string, readonly Kind[]>> = { metal: kinds, metal3: metal3Kinds, assisted: assistedKinds }

export async function crds(_: Options, part = 'metal'): Promise<number> {
  const wanted = Object.hasOwn(parts, part) ? parts[part] : undefined
  if (!wanted)
    throw new Fault('cli/no-such-part', `Cannot print the kinds of "${part}": there are ${Object.keys(parts).join(', ')}`, 'never')
  console.log(
    wanted
      .map(kind => yamlText(crdOf(kind)))
      .join('---\n')
      .trimEnd(),
  )
  return 0
}
