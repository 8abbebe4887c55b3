import { expect, it } from 'vitest'
import { checkSettings } from '../../policy/firmware/settings-check.ts'
import type { Service } from '../transport/service.ts'
import { readRegistry } from './bios-registry.ts'

const registry = {
  RegistryEntries: {
    Attributes: [
      { AttributeName: 'Virt', Type: 'Boolean' },
      { AttributeName: 'Nested', Type: 'Boolean' },
    ],
    Dependencies: [
      {
        DependencyFor: 'Nested',
        Type: 'Map',
        Dependency: {
          MapFrom: [{ MapFromAttribute: 'Virt', MapFromProperty: 'CurrentValue', MapFromCondition: 'EQU', MapFromValue: false }],
          MapToAttribute: 'Nested',
          MapToProperty: 'ReadOnly',
          MapToValue: true,
        },
      },
    ],
  },
}
const resources: Readonly<Record<string, object>> = {
  '/redfish/v1/Registries/BiosAttributeRegistry.1': { Location: [{ Language: 'en', Uri: '/redfish/v1/registry' }] },
  '/redfish/v1/registry': registry,
}
const service = {
  name: 'bmc',
  links: async () => ['/redfish/v1/Registries/BiosAttributeRegistry.1'],
  get: async (path: string) => resources[path],
} as unknown as Service

it('X-020 a registry tells which settings depend on which, and a wish that another setting forbids is a problem', async () => {
  const found = await readRegistry(service, '/redfish/v1/Registries', 'BiosAttributeRegistry.1')
  expect(found[1]?.dependencies).toEqual([{ when: [{ setting: 'Virt', is: 'EQU', value: false }], property: 'ReadOnly', value: true }])
  expect(checkSettings({ Nested: true }, found, { Virt: false, Nested: false }).problems).toEqual([
    'Nested cannot be set while Virt is false',
  ])
  expect(checkSettings({ Nested: true, Virt: true }, found, { Virt: false, Nested: false }).problems).toEqual([])
})
