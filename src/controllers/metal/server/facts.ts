import type { MachineThere, Seen, SeenConfiguration } from './seen.ts'
import { wasReset } from './unexpected.ts'

/** What the world has shown of a boot so far. */
export interface BootFacts {
  /** Everything that starts the system was fetched whole. */
  readonly artifactServed: boolean
  readonly allServed: boolean
  /** The booted system said something about itself. */
  readonly reported: boolean
  /** An installer said that it is done. */
  readonly installed: boolean
  /** Something reported after the installer had said so: what it installed. */
  readonly installedReported: boolean
  /** Whether a system runs; undefined where the BMC does not tell. */
  readonly runs: boolean | undefined
  readonly wasReset: boolean
}

export function factsOf(machine: MachineThere, boot: NonNullable<Seen['boot']>, { artifacts, served }: SeenConfiguration): BootFacts {
  const done = (served?.fetches ?? []).filter(fetch => fetch.done !== undefined).map(({ what }) => what)
  const reports = (served?.reports ?? []).map(({ state }) => state.toLowerCase())
  const end = reports.indexOf('installed')
  return {
    artifactServed: artifacts.length > 0 && artifacts.every(({ role }) => role === 'squashfs' || done.includes(role)),
    allServed: artifacts.length > 0 && artifacts.every(({ role }) => done.includes(role)),
    reported: reports.length > 0,
    installed: end >= 0,
    installedReported: end >= 0 && end < reports.length - 1,
    runs: runs(machine),
    wasReset: wasReset(boot, machine),
  }
}

/** BootProgress says it in one word; iLO in its own. */
export function runs({ evidence }: MachineThere): boolean | undefined {
  const progress = evidence?.progress
  return progress === undefined ? undefined : progress === 'OSRunning' || progress === 'OEM/FinishedPost'
}
