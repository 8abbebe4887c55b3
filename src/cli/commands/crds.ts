import { stringify } from 'yaml'
import { crdOf } from '../../api/crd.ts'
import { kinds } from '../../api/kinds.ts'

export async function crds(): Promise<number> {
  console.log(
    kinds
      .map(kind => stringify(crdOf(kind), { lineWidth: 0 }))
      .join('---\n')
      .trimEnd(),
  )
  return 0
}
