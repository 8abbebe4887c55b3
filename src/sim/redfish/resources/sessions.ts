import type { Session, SimBmc } from '../bmc.ts'
import { endSession, liveSessions, login } from '../login.ts'
import { done, type Extra } from '../node.ts'
import { Refusal } from '../refusal.ts'
import { healthy, iso, members, shape } from './shape.ts'

/** Logging in and out. Only this POST is open to anybody. */
export const sessions: Extra = kit => {
  const { make, at } = kit
  const service = `${at.root}/SessionService`
  const body = shape(kit, service, 'SessionService.v1_1_8.SessionService', 'Session Service', {
    ServiceEnabled: true,
    SessionTimeout: make.protocol.sessionSeconds,
    Sessions: at.to(at.sessions),
    Status: healthy,
  })
  kit.node(service, { read: () => body })
  const resource = (session: Session) => ({
    '@odata.id': at.spell(`${at.sessions}/${session.id}`),
    '@odata.type': '#Session.v1_6_0.Session',
    Id: session.id,
    Name: 'Session',
    UserName: session.user,
    CreatedTime: iso(session.created),
  })
  kit.node(at.sessions, {
    read: bmc =>
      members(
        kit,
        at.sessions,
        'SessionCollection',
        'Sessions',
        liveSessions(bmc).map(({ id }) => id),
      ),
    post(bmc, call) {
      const { UserName, Password } = call.body()
      if (typeof UserName !== 'string') throw new Refusal(400, 'PropertyMissing', ['UserName'])
      if (typeof Password !== 'string') throw new Refusal(400, 'PropertyMissing', ['Password'])
      const session = login(bmc, UserName, Password, call)
      const location = at.spell(`${at.sessions}/${session.id}`)
      return { status: 201, body: resource(session), headers: { location, 'x-auth-token': session.token } }
    },
  })
  kit.family(`${at.sessions}/*`, (bmc: SimBmc, id) => {
    const session = liveSessions(bmc).find(one => one.id === id)
    if (!session) return undefined
    return {
      read: () => resource(session),
      remove() {
        endSession(bmc, session)
        return done
      },
    }
  })
}
