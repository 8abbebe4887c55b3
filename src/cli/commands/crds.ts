import { crdOf } from '../../api/crd.ts'
import { kinds } from '../../api/kinds.ts'
import { yamlText } from '../../api/page.ts'

export async function crds(): Promise<number> {
  console.log(
    kinds
      .map(kind => yamlText(crdOf(kind)))
      .join('---\n')
      .trimEnd(),
  )
  return 0
}
