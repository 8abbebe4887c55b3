import { takes } from '../../misbehaviour/switches.ts'
import { done, type Extra } from '../node.ts'
import { Refusal } from '../refusal.ts'
import { collection, fixed, shape } from './shape.ts'

const databases = ['PK', 'KEK', 'db', 'dbx'] as const
const resets = ['ResetAllKeysToDefault', 'DeleteAllKeys', 'DeletePK']

/** A change waits for the next reset: firmware reads it only then. */
export const secureBoot: Extra = kit => {
  const { at } = kit
  const path = `${at.system}/SecureBoot`
  const body = shape(kit, path, 'SecureBoot.v1_1_0.SecureBoot', 'UEFI Secure Boot', {
    SecureBootMode: 'DeployedMode',
    SecureBootDatabases: at.to(`${path}/SecureBootDatabases`),
    Actions: {
      '#SecureBoot.ResetKeys': {
        target: at.spell(`${path}/Actions/SecureBoot.ResetKeys`),
        'ResetKeysType@Redfish.AllowableValues': resets,
      },
    },
  })
  kit.node(path, {
    read: ({ machine }) => ({
      ...body,
      SecureBootEnable: machine.secureBootNext ?? machine.secureBoot,
      SecureBootCurrentBoot: machine.secureBoot ? 'Enabled' : 'Disabled',
    }),
    patch({ machine }, call) {
      const enable = call.body()['SecureBootEnable']
      if (typeof enable !== 'boolean') throw new Refusal(400, 'PropertyMissing', ['SecureBootEnable'])
      if (takes(machine, 'secure-boot-500', call)) throw new Refusal(500, 'InternalError')
      machine.secureBootNext = enable
      return done
    },
  })
  kit.node(`${path}/Actions/SecureBoot.ResetKeys`, {
    action: true,
    post({ machine }, call) {
      const type = String(call.body()['ResetKeysType'])
      if (!resets.includes(type)) throw new Refusal(400, 'ActionParameterValueNotInList', [type, 'ResetKeysType', 'SecureBoot.ResetKeys'])
      if (takes(machine, 'secure-boot-500', call)) throw new Refusal(500, 'InternalError')
      if (type !== 'ResetAllKeysToDefault') machine.secureBootNext = false
      return done
    },
  })
  collection(kit, `${path}/SecureBootDatabases`, 'SecureBootDatabaseCollection', 'Secure Boot Databases', databases)
  for (const id of databases) {
    const database = `${path}/SecureBootDatabases/${id}`
    fixed(kit, database, 'SecureBootDatabase.v1_0_1.SecureBootDatabase', id, {
      DatabaseId: id,
      Certificates: at.to(`${database}/Certificates`),
    })
    collection(kit, `${database}/Certificates`, 'CertificateCollection', 'Certificates', [])
  }
}
