import { isOn, takes } from '../misbehaviour/switches.ts'
import { passwordOf, type Session, type SimBmc } from './bmc.ts'
import type { Call } from './call.ts'
import { Refusal } from './refusal.ts'

const minute = 60_000

/** Expired ones are gone as soon as somebody looks. */
export function liveSessions(bmc: SimBmc): readonly Session[] {
  if (!bmc.sessions) return []
  const oldest = bmc.site.clock.now() - bmc.make.personality.protocol.sessionSeconds * 1_000
  const live = bmc.sessions.filter(({ used }) => used >= oldest)
  bmc.closed += bmc.sessions.length - live.length
  bmc.sessions = live.length === 0 ? undefined : live
  return live
}

export function endSession(bmc: SimBmc, session: Session): void {
  const left = bmc.sessions?.filter(one => one !== session)
  bmc.sessions = left && left.length > 0 ? left : undefined
  bmc.closed++
}

export function login(bmc: SimBmc, user: string, password: string, call: Call): Session {
  throttle(bmc, call)
  check(bmc, user, password, call)
  const { protocol } = bmc.make.personality
  if (liveSessions(bmc).length >= protocol.sessionLimit || takes(bmc.machine, 'session-cap', call))
    throw new Refusal(503, 'SessionLimitExceeded', [], { headers: { 'retry-after': '30' } })
  const now = bmc.site.clock.now()
  bmc.sessionCount++
  bmc.opened++
  const session: Session = { id: String(bmc.sessionCount), token: bmc.site.ids.nonce(16), user, password, created: now, used: now }
  bmc.sessions = [...(bmc.sessions ?? []), session]
  return session
}

/** Lets a call in by its token or by basic authentication. */
export function authenticate(bmc: SimBmc, call: Call): void {
  const token = call.headers['x-auth-token']
  if (token !== undefined) {
    const session = liveSessions(bmc).find(one => one.token === token)
    if (!session || takes(bmc.machine, 'stale-session', call)) throw new Refusal(401, 'NoValidSession', [], realm)
    session.used = bmc.site.clock.now()
    return
  }
  const basic = /^Basic (.+)$/i.exec(call.headers['authorization'] ?? '')?.[1]
  if (basic === undefined) throw new Refusal(401, 'NoValidSession', [], realm)
  const text = Buffer.from(basic, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  throttle(bmc, call)
  check(bmc, text.slice(0, colon), text.slice(colon + 1), call)
}

const realm = { headers: { 'www-authenticate': 'Basic realm="RedfishService"' } }

/** Too many wrong passwords lock the account for a while, also for the right one. */
function check(bmc: SimBmc, user: string, password: string, call: Call): void {
  const { lockout } = bmc.make.personality.protocol
  const now = bmc.site.clock.now()
  if (now < bmc.lockedUntil) throw new Refusal(401, 'ResourceAtUriUnauthorized', [call.path], realm)
  if (user === bmc.site.username && password === passwordOf(bmc)) {
    bmc.failures = 0
    return
  }
  bmc.failures++
  bmc.refused++
  if (bmc.failures >= lockout.failures) {
    bmc.failures = 0
    bmc.lockedUntil = now + lockout.seconds * 1_000
  }
  throw new Refusal(401, 'ResourceAtUriUnauthorized', [call.path], realm)
}

function throttle(bmc: SimBmc, call: Call): void {
  const limit = isOn(bmc.machine, 'login-throttle', call) ? 4 : bmc.make.personality.protocol.loginsPerMinute
  const now = bmc.site.clock.now()
  if (now - bmc.minute >= minute) {
    bmc.minute = now
    bmc.logins = 0
  }
  bmc.logins++
  if (limit === undefined || bmc.logins <= limit) return
  takes(bmc.machine, 'login-throttle', call)
  throw new Refusal(503, 'ServiceTemporarilyUnavailable', ['60'], { headers: { 'retry-after': '60' } })
}
