import type { Instant, Millis } from '../../core/duration.ts'
import type { JsonObject } from '../../core/json.ts'
import type { BiosValue } from '../../ports/bmc.ts'
import type { Ids } from '../../ports/index.ts'
import type { Machine, Site } from '../machine/machine.ts'
import type { SimTask } from '../machine/tasks.ts'
import type { Personality } from '../personalities/personality.ts'
import type { Links } from './links.ts'
import type { Tree } from './tree.ts'

export interface Session {
  readonly id: string
  readonly token: string
  readonly user: string
  /** By which it was made: it lives on when that changes. */
  readonly password: string
  readonly created: Instant
  used: Instant
}

/** What all BMCs of one make in one rack share. */
export interface Make {
  readonly personality: Personality
  readonly at: Links
  readonly tree: Tree
}

/** What all BMCs of one rack share. */
export interface RackSite extends Site {
  readonly ids: Ids
  readonly username: string
  readonly password: string
  /** How long this BMC takes for an answer. */
  latency(bmc: SimBmc): Millis
}

/** One management controller: what it remembers beyond the shared tree. Fields that most never need are absent. */
export interface SimBmc {
  readonly site: RackSite
  readonly make: Make
  readonly machine: Machine
  sessions: Session[] | undefined
  sessionCount: number
  tasks: SimTask[] | undefined
  taskCount: number
  failures: number
  /** Wrong passwords, ever. */
  refused: number
  lockedUntil: Instant
  /** Logins in the minute that began at `minute`. */
  minute: Instant
  logins: number
  /** Restarting: nothing answers before. */
  silentUntil: Instant
  password: string | undefined
  /** Properties that were written over the shared tree, by path. */
  written: Map<string, JsonObject> | undefined
  subscriptions: JsonObject[] | undefined
  /** BIOS settings that wait for somebody to make a job of them (Dell). */
  drafts: Record<string, BiosValue> | undefined
  upload: { readonly name: string; readonly bytes: Uint8Array; readonly targets: readonly string[] } | undefined
  calls: number
  /** Logins that succeeded and sessions that ended, ever: a difference is a leak. */
  opened: number
  closed: number
}

export function newBmc(site: RackSite, make: Make, machine: Machine): SimBmc {
  return {
    site,
    make,
    machine,
    sessions: undefined,
    sessionCount: 0,
    tasks: undefined,
    taskCount: 0,
    failures: 0,
    refused: 0,
    lockedUntil: 0,
    minute: 0,
    logins: 0,
    silentUntil: 0,
    password: undefined,
    written: undefined,
    subscriptions: undefined,
    drafts: undefined,
    upload: undefined,
    calls: 0,
    opened: 0,
    closed: 0,
  }
}

export const passwordOf = (bmc: SimBmc): string => bmc.password ?? bmc.site.password

/** What was written to a path stays; the shared tree does not change. */
export function writeOver(bmc: SimBmc, path: string, properties: JsonObject): void {
  bmc.written ??= new Map()
  bmc.written.set(path, { ...bmc.written.get(path), ...properties })
}

export const withWritten = (bmc: SimBmc, path: string, resource: JsonObject): JsonObject => {
  const written = bmc.written?.get(path)
  return written ? { ...resource, ...written } : resource
}
