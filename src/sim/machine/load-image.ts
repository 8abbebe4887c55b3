import { ask } from './ask.ts'
import { macOf, uuidOf } from './identity.ts'
import type { LoadedFrom } from './loaded.ts'
import type { Machine } from './machine.ts'
import { readProgram } from './program.ts'
import type { BootKind, Loaded, Step } from './world.ts'

/** Fetches an image whole; what it does, the world may know, otherwise the image says so itself. */
export async function loadImage(machine: Machine, url: string, from: BootKind): Promise<LoadedFrom> {
  const answer = await ask(machine, { method: 'GET', url }, 'rackwright-sim-bmc/1.0')
  if (!answer) return { failed: `nobody answers at ${url}` }
  if (answer.status !== 200) return { failed: `${url} answers ${answer.status}` }
  return { os: url, steps: stepsOf(machine, { from, url, bytes: answer.body }) }
}

export function stepsOf(machine: Machine, loaded: Pick<Loaded, 'from' | 'url' | 'bytes' | 'commandLine'>): readonly Step[] {
  const whole = { ...loaded, server: machine.name, uuid: uuidOf(machine.uuidOf ?? machine.number), mac: macOf(machine.number, 0) }
  return machine.site.world?.program?.(whole) ?? readProgram(loaded.bytes)
}
