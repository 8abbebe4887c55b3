import { readFileSync, writeFileSync } from 'node:fs'
import { isObject } from '../../core/json.ts'
import type { Clock } from '../../ports/index.ts'
import type { Machine } from '../../sim/machine/machine.ts'
import type { Rack } from '../../sim/rack.ts'

/** What a machine keeps while this program is not running: real ones go on without us, these stand still. */
type Kept = Pick<Machine, 'power' | 'stage' | 'since' | 'powerSince' | 'lastReset' | 'source' | 'disk' | 'armed' | 'order'>

/** Writes down how the machines stand, soon after something happened to one and at the end. */
export function keepingRack(rack: Rack, file: string, clock: Clock): () => void {
  let cancel: (() => void) | undefined
  rack.onEvent(() => {
    cancel ??= clock.after(500, () => {
      cancel = undefined
      keepRack(rack, file)
    })
  })
  return () => {
    cancel?.()
    keepRack(rack, file)
  }
}

function keepRack(rack: Rack, file: string): void {
  const machines = rack.servers.map(name => {
    const { power, stage, since, powerSince, lastReset, source, disk, armed, order } = rack.machine(name)
    const kept: Kept = { power, stage, since, powerSince, lastReset, source, disk, armed, order }
    return [name, kept] as const
  })
  writeFileSync(file, JSON.stringify(Object.fromEntries(machines)), { mode: 0o600 })
}

/** Sets the machines up as they stood. One that was on its way somewhere has lost its power meanwhile; its disk is what it was. */
export function rememberRack(rack: Rack, file: string): void {
  const before = read(file)
  for (const name of rack.servers) {
    const kept = before[name]
    if (!isObject(kept)) continue
    const machine = rack.machine(name)
    const { disk } = kept
    if (kept['power'] === 'On' && kept['stage'] === 'running') Object.assign(machine, kept)
    else if (isObject(disk)) Object.assign(machine, { disk })
  }
}

function read(file: string): Readonly<Record<string, unknown>> {
  try {
    const found: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isObject(found) ? found : {}
  } catch {
    return {}
  }
}
