import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from '../core/fault.ts'
import type { Listening } from '../sim/redfish/listen.ts'
import type { Home } from './home.ts'

/** Where the switches of a running simulated rack are, and what opens them. */
export interface SimState {
  readonly admin: string
  readonly token: string
  readonly authority: string
}

const stateFile = (home: Home): string => join(home.root, 'sim.json')
export const authorityFile = (home: Home): string => join(home.root, 'sim-ca.crt')

/** Whoever can read this file may switch faults: its owner. The returned function takes it away again. */
export function noteSim(home: Home, { admin, authority }: Pick<Listening, 'admin' | 'authority'>, token: string): () => void {
  writeFileSync(authorityFile(home), authority)
  writeFileSync(stateFile(home), JSON.stringify({ admin, token, authority } satisfies SimState), { mode: 0o600 })
  chmodSync(stateFile(home), 0o600)
  return () => rmSync(stateFile(home), { force: true })
}

export function runningSim(home: Home): SimState {
  try {
    return JSON.parse(readFileSync(stateFile(home), 'utf8')) as SimState
  } catch (cause) {
    throw new Fault('sim/not-running', `Cannot find a simulated rack that runs from ${home.root}`, 'when-changed', {
      cause,
      hint: 'start one with npm start or rackwright sim, or name its state folder with --home',
    })
  }
}
