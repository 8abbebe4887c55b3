import type { JsonObject } from '../../../core/json.ts'
import { type SimBmc, withWritten, writeOver } from '../bmc.ts'
import { done, type Extra, type Node } from '../node.ts'
import { Refusal } from '../refusal.ts'
import { collection, fixed, healthy, members, shape } from './shape.ts'

const roles = ['Administrator', 'Operator', 'ReadOnly']

/** Accounts: the first is the one that the simulator lets in; its password can be changed, and then counts at once. */
export const accounts: Extra = kit => {
  const { make, at } = kit
  const service = `${at.root}/AccountService`
  const path = `${service}/Accounts`
  const { lockout } = make.protocol
  fixed(kit, service, 'AccountService.v1_13_0.AccountService', 'Account Service', {
    ServiceEnabled: true,
    MinPasswordLength: 8,
    MaxPasswordLength: 40,
    AccountLockoutThreshold: lockout.failures,
    AccountLockoutDuration: lockout.seconds,
    Accounts: at.to(path),
    Roles: at.to(`${service}/Roles`),
    Status: healthy,
  })
  collection(kit, `${service}/Roles`, 'RoleCollection', 'Roles', roles)
  for (const role of roles)
    fixed(kit, `${service}/Roles/${role}`, 'Role.v1_3_1.Role', role, {
      RoleId: role,
      IsPredefined: true,
      AssignedPrivileges: role === 'ReadOnly' ? ['Login'] : ['Login', 'ConfigureManager', 'ConfigureUsers', 'ConfigureComponents'],
    })

  const own = make.accountSlots === undefined ? '1' : '2'
  const slots = Array.from({ length: make.accountSlots ?? 1 }, (_, n) => String(n + 1))
  const extra = (bmc: SimBmc): readonly string[] =>
    [...(bmc.written?.keys() ?? [])].filter(key => key.startsWith(`${path}/+`)).map(key => key.split('+')[1]!)
  const add: Node =
    make.accountSlots === undefined
      ? {
          post(bmc, call) {
            const { UserName, Password, RoleId } = call.body()
            if (typeof UserName !== 'string' || typeof Password !== 'string') throw new Refusal(400, 'PropertyMissing', ['UserName'])
            if (extra(bmc).includes(UserName)) throw new Refusal(400, 'ResourceAlreadyExists', ['ManagerAccount', 'UserName', UserName])
            writeOver(bmc, `${path}/+${UserName}`, { UserName, RoleId: RoleId ?? 'ReadOnly' })
            return { status: 201, headers: { location: at.spell(`${path}/${UserName}`) } }
          },
        }
      : {}
  kit.node(path, {
    read: bmc => members(kit, path, 'ManagerAccountCollection', 'Accounts', [...slots, ...extra(bmc)]),
    ...add,
  })
  const resource = (bmc: SimBmc, id: string): JsonObject => {
    const body = shape(kit, `${path}/${id}`, 'ManagerAccount.v1_11_0.ManagerAccount', 'User Account', {
      Id: id,
      UserName: id === own ? bmc.site.username : '',
      Password: null,
      RoleId: id === own ? 'Administrator' : 'None',
      Enabled: id === own,
      Locked: id === own && bmc.site.clock.now() < bmc.lockedUntil,
    })
    return withWritten(bmc, slots.includes(id) ? `${path}/${id}` : `${path}/+${id}`, body)
  }
  kit.family(`${path}/*`, (bmc, id) => {
    if (!slots.includes(id) && !extra(bmc).includes(id)) return undefined
    return {
      read: () => resource(bmc, id),
      patch(_, call) {
        const { Password, ...rest } = call.body()
        if (make.accountSlots !== undefined && rest['RoleId'] !== undefined && Password === undefined)
          throw new Refusal(400, 'PropertyMissing', ['Password'])
        if (Password !== undefined && (typeof Password !== 'string' || Password.length < 8))
          throw new Refusal(400, 'PropertyValueOutOfRange', ['******', 'Password'])
        if (id === own && typeof Password === 'string') bmc.password = Password
        writeOver(bmc, slots.includes(id) ? `${path}/${id}` : `${path}/+${id}`, rest)
        return done
      },
      remove() {
        if (slots.includes(id)) throw new Refusal(405, 'OperationNotAllowed')
        bmc.written?.delete(`${path}/+${id}`)
        return done
      },
    }
  })
}
