import { decide } from '../../src/controllers/metal/server/decide.ts'
import type { MachineThere, Seen, SeenConfiguration } from '../../src/controllers/metal/server/seen.ts'
import { minutes } from '../../src/core/duration.ts'
import { printInstant } from '../../src/core/instant.ts'

export const now = 1_800_000_000_000
export const at = printInstant(now)
export const artifact = { role: 'uki', digest: `sha256:${'a'.repeat(64)}`, bytes: 1 } as const

export const configured: SeenConfiguration = {
  namespace: 'default',
  name: 'c1',
  uid: 'config',
  revision: '7',
  generation: 1,
  deleting: false,
  state: 'Ready',
  problem: undefined,
  policy: { firstBoot: 'UefiHttp', boot: 'Hdd' },
  unexpectedBoot: 'SafeStop',
  level: 'ArtifactServed',
  provisioned: 'no',
  provisionedRaw: undefined,
  image: 'os',
  artifacts: [artifact],
  external: undefined,
  lastServed: 0,
  served: undefined,
}
export const off: MachineThere = {
  is: 'there',
  power: 'Off',
  powerFor: minutes(5),
  resetFor: minutes(5),
  armed: { target: 'None', raw: 'None', lasts: 'Disabled', address: 'none' },
  evidence: { lastResetTime: at },
  busy: false,
}
export const on: MachineThere = { ...off, power: 'On', evidence: { lastResetTime: at, progress: 'OSRunning' } }
export const note: NonNullable<Seen['boot']> = {
  attempt: 3,
  purpose: 'Claim',
  method: 'UefiHttp',
  configuration: { namespace: 'default', name: 'c1', uid: 'config', generation: 1 },
  step: 'Ended',
  serves: false,
  opened: at,
  expires: at,
  holder: 'us',
  outcome: 'Installed',
  reset: at,
  age: minutes(1),
  stepAge: minutes(1),
  askedAge: minutes(1),
}
export const server: Seen['server'] = {
  name: 'srv-1',
  uid: 'server',
  deleting: false,
  standing: { phase: 'Reserved', phaseSince: at },
  phaseAge: minutes(1),
  deletingAge: 0,
  systemUUID: 'uuid',
  reclaim: 'Recycle',
  inventoried: true,
  led: { shows: undefined, wanted: undefined },
  bootOrderPolicy: 'Audit',
  updater: undefined,
  parked: false,
  requireSanitized: false,
  operation: undefined,
  stands: {},
}
export const claim: NonNullable<Seen['claim']> = {
  namespace: 'default',
  name: 'c1',
  uid: 'claim',
  is: 'there',
  generation: 1,
  power: 'On',
  image: 'os',
  approves: false,
}
export const seen = (rest: Partial<Seen> = {}): Seen => ({
  server,
  us: 'us',
  observeOnly: false,
  machine: off,
  inventory: undefined,
  boot: undefined,
  earlier: [],
  stopping: undefined,
  starting: undefined,
  claim,
  maintenance: undefined,
  wanted: false,
  configuration: configured,
  ...rest,
})
export const armedAs = (target: string, address: 'none' | 'ours' | 'other' = 'none') => ({
  ...off,
  armed: { target, raw: target, lasts: 'Once' as const, address },
})
export const done = (given: Seen): readonly string[] =>
  decide(given, now).actions.map(action => ('target' in action ? `${action.do} ${action.target}` : action.do))
const { outcome: _, ...open } = note
export const arming = { ...open, step: 'Arming' as const }
export const starting = { ...open, step: 'Starting' as const }
export const running = { ...open, step: 'Running' as const, serves: true }
export const provisioned: SeenConfiguration = { ...configured, provisioned: 'yes', provisionedRaw: 'true' }
