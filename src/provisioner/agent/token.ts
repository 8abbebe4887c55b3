import { createHmac, timingSafeEqual } from 'node:crypto'

/** What an agent and we both know in one try: it follows from the host and the try, so nothing is stored, and an agent that restarts gets the same. */
export const agentToken = (key: Uint8Array, uid: string, attempt: number): string =>
  createHmac('sha256', key).update('rackwright agent token\n').update(`${uid}\n${attempt}`).digest('base64url')

export function isToken(shown: unknown, expected: string): boolean {
  if (typeof shown !== 'string') return false
  const [a, b] = [Buffer.from(shown), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
