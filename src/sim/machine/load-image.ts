import { bootBase } from '../../agent/boot-address.ts'
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
  return machine.site.world?.program?.(whole) ?? readProgram(loaded.bytes).map(step => filledIn(step, whole))
}

/** What a system learns from its boot: where it came from (`${boot}`, with the ticket where there is one), who it is, and what its kernel was told. */
function filledIn(step: Step, { url, commandLine, uuid, mac }: Omit<Loaded, 'server' | 'from' | 'bytes'>): Step {
  const known: Readonly<Record<string, string>> = {
    boot: bootBase({ commandLine: commandLine ?? '', url }) ?? new URL(url).origin,
    uuid,
    mac,
    ...argumentsOf(commandLine ?? ''),
  }
  const fill = (text: string): string => text.replace(/\$\{([\w-]+)\}/g, (whole, name: string) => known[name] ?? whole)
  const filled = (one: Step): Step => ({
    ...one,
    ...('url' in one ? { url: fill(one.url) } : {}),
    ...('callback' in one && one.callback !== undefined ? { callback: fill(one.callback) } : {}),
    ...('token' in one && one.token !== undefined ? { token: fill(one.token) } : {}),
    ...('body' in one ? { body: fill(one.body) } : {}),
    ...('then' in one && one.then ? { then: one.then.map(filled) } : {}),
    ...('later' in one && one.later ? { later: one.later.map(steps => steps.map(filled)) } : {}),
  })
  return filled(step)
}

/** What a kernel was told, by name. */
const argumentsOf = (commandLine: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    commandLine
      .split(' ')
      .filter(word => word.includes('='))
      .map(word => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]),
  )
