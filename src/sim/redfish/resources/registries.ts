import { baseRegistry } from '../messages.ts'
import type { Extra } from '../node.ts'
import { collection, fixed } from './shape.ts'

/** Where the sentences of messages and the attributes of the BIOS are explained. */
export const registries: Extra = kit => {
  const { make, at } = kit
  const path = `${at.root}/Registries`
  const { registryFile, registryUri, language } = make.bios
  collection(kit, path, 'MessageRegistryFileCollection', 'Registries', ['Base', registryFile])
  fixed(kit, `${path}/Base`, 'MessageRegistryFile.v1_1_3.MessageRegistryFile', 'Base Message Registry File', {
    Languages: ['en'],
    Registry: 'Base.1.13',
    Location: [{ Language: 'en', Uri: `${path}/Base/Base` }],
  })
  kit.node(`${path}/Base/Base`, { read: () => baseRegistry })
  fixed(kit, `${path}/${registryFile}`, 'MessageRegistryFile.v1_1_3.MessageRegistryFile', 'BIOS Attribute Registry File', {
    Languages: [language],
    Registry: registryFile,
    Location: [{ Language: language, Uri: registryUri }],
  })
}
