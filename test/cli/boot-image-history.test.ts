import pc from 'picocolors'
import { expect, it } from 'vitest'
import { renderHistory } from '../../src/cli/output/boot-image-history.ts'

const plain = pc.createColors(false)

it('BI-095 shows the lineage newest first, and marks what is booted now', () => {
  const detail = (image: string, version: string) => ({
    updateTime: '2026-05-01T00:00:00Z',
    bootImageVersion: version,
    configMapGeneration: 1,
    image,
  })
  const text = renderHistory(
    {
      apiVersion: 'machineconfiguration.openshift.io/v1alpha1',
      kind: 'BootImageHistory',
      metadata: { name: 'a-mapi-machinesets', namespace: 'm' },
      spec: { machineResourceReference: { name: 'a', resource: 'machinesets', apiGroup: 'machine.openshift.io' } },
      status: {
        details: [detail('old', '9.4'), detail('new', '9.6')],
        sync: { decision: 'Current', image: 'new' },
        conditions: [{ type: 'Synced', status: 'True', reason: 'Current', message: 'boots new', lastTransitionTime: '' }],
      },
    },
    plain,
  )
  expect(text.split('\n')).toEqual([
    'machinesets.machine.openshift.io a in m: Current, boots new',
    '   WRITTEN               RELEASE  CONTENT  IMAGE',
    '*  2026-05-01T00:00:00Z  9.6      1        new',
    '   2026-05-01T00:00:00Z  9.4      1        old',
  ])
})
