import { expect, it } from 'vitest'
import { degradedOf, figuresOf, printFigures } from './figures.ts'
import type { BootImageHistory } from './resources.ts'

const history = (name: string, sync: object): BootImageHistory => ({
  apiVersion: 'machineconfiguration.openshift.io/v1alpha1',
  kind: 'BootImageHistory',
  metadata: { name: `${name}-mapi-machinesets`, namespace: 'm' },
  spec: { machineResourceReference: { name, resource: 'machinesets', apiGroup: 'machine.openshift.io' } },
  status: { sync, conditions: [{ type: 'Synced', status: 'False', reason: 'HasOwner', message: '', lastTransitionTime: '' }] } as never,
})

it('BI-043 BI-044 names each machine resource that fails, and only while it does', () => {
  const labels = 'namespace="m",name="a",resource="machinesets",group="machine.openshift.io"'
  expect(printFigures(figuresOf([history('a', { decision: 'Failed', failures: 3 })]))).toBe(
    `rackwright_boot_image_decision{${labels},decision="Failed",reason="HasOwner"} 1\nrackwright_boot_image_failures{${labels},reason="HasOwner"} 3\n`,
  )
  expect(printFigures(figuresOf([history('a', { decision: 'Current' })]))).not.toContain('failures')
})
it('BI-039 BI-044 says why boot images as a whole are behind, and only while they are', () => {
  const said = (status: string, reason: string) =>
    printFigures(degradedOf({ status: { conditions: [{ type: 'BootImageUpdateDegraded', status, reason }] } } as never))
  expect(said('True', 'StampOverdue')).toBe('rackwright_boot_images_degraded{reason="StampOverdue"} 1\n')
  expect(said('False', 'AsExpected')).toBe('')
  expect(degradedOf(undefined)).toEqual([])
})
it('text of others cannot break a line', () => {
  expect(printFigures(figuresOf([history('a"\n', {})])).split('\n')).toHaveLength(2)
})
