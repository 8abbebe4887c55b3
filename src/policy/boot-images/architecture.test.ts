import { describe, expect, it } from 'vitest'
import { architectureOf } from './architecture.ts'

const name = 'capacity.cluster-autoscaler.kubernetes.io/labels'
const single = { multi: false, architecture: 'x86_64' }

describe('architectureOf()', () => {
  const rows: readonly (readonly [reason: string, labels: string | undefined, multi: boolean, found: object])[] = [
    ['UP-BI-04 the only label', 'kubernetes.io/arch=amd64', false, { is: 'known', architecture: 'x86_64' }],
    ['UP-BI-04 among others, with spaces', 'a=b, kubernetes.io/arch=arm64 ,c=d', true, { is: 'known', architecture: 'aarch64' }],
    ['UP-BI-05 ppc64le', 'kubernetes.io/arch=ppc64le', false, { is: 'known', architecture: 'ppc64le' }],
    ['UP-BI-05 s390x', 'kubernetes.io/arch=s390x', false, { is: 'known', architecture: 's390x' }],
    [
      'UP-BI-05 an unknown one is named',
      'kubernetes.io/arch=toString',
      false,
      { is: 'wrong', because: expect.stringContaining('"toString"') },
    ],
    ['UP-BI-05 labels without one', 'a=b', false, { is: 'wrong', because: expect.stringContaining('no kubernetes.io/arch') }],
    ['UP-BI-06 nothing said: the cluster’s', undefined, false, { is: 'known', architecture: 'x86_64' }],
    ['UP-BI-06 nothing said where there are several: skipped', undefined, true, { is: 'skipped' }],
  ]
  for (const [reason, labels, multi, found] of rows)
    it(reason, () =>
      expect(architectureOf(labels === undefined ? undefined : { [name]: labels }, { ...single, multi })).toMatchObject(found),
    )
})
