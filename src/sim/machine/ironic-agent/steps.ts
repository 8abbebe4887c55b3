import { createHash } from 'node:crypto'
import { isObject } from '../../../core/json.ts'
import { ask } from '../ask.ts'
import { startAssisted } from '../assisted-agent/unit.ts'
import type { Machine } from '../machine.ts'
import { readProgram } from '../program.ts'
import type { SimAgent } from './agent.ts'
import { manners } from './manners.ts'
import { makeVolumes, takeAway } from './raid.ts'

/** What a step comes to: undefined or what it tells where it worked, otherwise why not. */
export type Step = (
  machine: Machine,
  agent: SimAgent,
  args: Readonly<Record<string, unknown>>,
  node: Readonly<Record<string, unknown>>,
) => Promise<string | { readonly result: unknown } | undefined>

/** The steps that a simulated machine's agent has. */
export const steps: Readonly<Record<string, Step | undefined>> = {
  write_image: guarded(writeImage),
  erase_devices_metadata: guarded(async machine => {
    await machine.site.clock.sleep(20_000)
    machine.disk = undefined
    machine.site.tell(machine.name, { what: 'wiped' })
    return undefined
  }),
  delete_configuration: guarded(takeAway),
  create_configuration: guarded(makeVolumes),
  start_assisted_install: guarded(async (machine, { assisted }) =>
    assisted ? startAssisted(machine, assisted) : install(machine, 'assisted'),
  ),
}

/** A step may fail, or the agent hang in the middle of it, where somebody switched that on. */
function guarded(step: Step): Step {
  return async (machine, agent, args, node) => {
    const { epoch } = machine
    if (manners(machine, 'hangs')) {
      agent.hung = true
      return new Promise(() => {})
    }
    if (manners(machine, 'fails a step')) return 'the disk does not answer (simulated)'
    const end = await step(machine, agent, args, node)
    return machine.epoch === epoch ? end : 'the machine was restarted'
  }
}

async function writeImage(
  machine: Machine,
  _: SimAgent,
  { image_info: info, configdrive }: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  const image = isObject(info) ? info : {}
  const url = Array.isArray(image['urls']) ? String(image['urls'][0]) : ''
  const answer = await ask(machine, { method: 'GET', url }, 'ironic-python-agent')
  if (answer?.status !== 200) return `Error downloading image: ${url} answers ${answer?.status ?? 'nothing'}`
  const expected = String(image['os_hash_value'] ?? image['checksum'] ?? '')
  const algorithm = String(image['os_hash_algo'] ?? { 32: 'md5', 64: 'sha256', 128: 'sha512' }[expected.length] ?? '')
  if (algorithm === '') return 'Unable to verify image with available checksums'
  const actual = createHash(algorithm).update(answer.body).digest('hex')
  if (actual !== expected) return `Error verifying image checksum: image ${url} has ${actual}, not ${expected}`
  return install(machine, url, { bytes: answer.body, ...(typeof configdrive === 'string' ? { configDrive: configdrive } : {}) })
}

async function install(
  machine: Machine,
  os: string,
  what: { readonly bytes?: Uint8Array; readonly configDrive?: string } = {},
): Promise<undefined> {
  const { epoch } = machine
  await machine.site.clock.sleep(machine.model.times.install)
  if (machine.epoch !== epoch) return
  const { bytes, configDrive } = what
  machine.disk = { os, steps: bytes ? readProgram(bytes) : [], ...(configDrive === undefined ? {} : { configDrive }) }
  machine.site.tell(machine.name, { what: 'installed', os })
}
