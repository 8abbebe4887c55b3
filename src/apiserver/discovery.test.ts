import { expect, it } from 'vitest'
import { byMaturity } from './discovery.ts'

it('versions are preferred by maturity, then by number, then by name', () => {
  const versions = ['v1alpha1', 'foo', 'v1', 'v2beta1', 'v10', 'v1beta2', 'v2', 'v1beta1', 'bar']
  expect(versions.toSorted(byMaturity)).toEqual(['v10', 'v2', 'v1', 'v2beta1', 'v1beta2', 'v1beta1', 'v1alpha1', 'bar', 'foo'])
})
