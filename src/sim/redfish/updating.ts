import { ask } from '../machine/ask.ts'
import { readFirmwareImage } from '../machine/firmware-image.ts'
import type { FirmwarePart } from '../machine/model.ts'
import { flash } from '../machine/post.ts'
import type { SimTask } from '../machine/tasks.ts'
import { takes } from '../misbehaviour/switches.ts'
import type { SimBmc } from './bmc.ts'
import { restartBmc } from './resources/power.ts'
import { endTask, newTask } from './tasks.ts'

export interface UpdateOrder {
  readonly name: string
  /** Where the BMC fetches the image from; otherwise it was pushed. */
  readonly url?: string
  readonly bytes?: Uint8Array
  readonly targets: readonly string[]
}

/** Begins an update and returns at once; how it goes is told by its task. */
export function startUpdate(bmc: SimBmc, order: UpdateOrder): SimTask {
  const long = bmc.machine.model.times.update
  const task = newTask(bmc, { name: `Update from ${order.name.split('/').at(-1)}`, kind: 'update', takes: long, state: 'Running' })
  if (takes(bmc.machine, 'two-jobs')) newTask(bmc, { name: task.name, kind: 'update', takes: long, state: 'Running' })
  void run(bmc, task, order)
  return task
}

async function run(bmc: SimBmc, task: SimTask, order: UpdateOrder): Promise<void> {
  const { machine, site } = bmc
  const bytes = order.bytes ?? (await fetched(bmc, order.url))
  if (bytes === 'missing') return endTask(bmc, task, 'Exception', `The image ${order.name} cannot be fetched.`)
  const image = readFirmwareImage(order.name, bytes)
  const part = image && partFor(machine.model.firmware, order.targets, image.part)
  if (!image || !part) return endTask(bmc, task, 'Exception', `The image ${order.name} is not firmware for this machine.`)
  await site.clock.sleep(task.takes / 2)
  if (takes(machine, 'bmc-reboots-mid-update')) {
    bmc.tasks = bmc.tasks?.filter(one => one !== task)
    restartBmc(bmc)
  } else if (takes(machine, 'task-lost')) bmc.tasks = bmc.tasks?.filter(one => one !== task)
  if (takes(machine, 'stuck-at-99')) task.stuck = true
  await site.clock.sleep(task.takes / 2)
  if (!task.stuck && !takes(machine, 'old-version')) apply(bmc, part, image.version)
  for (const one of bmc.tasks ?? [])
    if (one === task || (one.name === task.name && one.state === 'Running')) endTask(bmc, one, 'Completed', 'The update is done.')
}

/** Without a world outside every URL leads to an image that is what its name says. */
async function fetched(bmc: SimBmc, url: string | undefined): Promise<Uint8Array | undefined | 'missing'> {
  if (url === undefined || !bmc.site.world) return undefined
  const answer = await ask(bmc.machine, { method: 'GET', url }, 'rackwright-sim-bmc/1.0')
  return answer?.status === 200 ? answer.body : 'missing'
}

function partFor(parts: readonly FirmwarePart[], targets: readonly string[], named: string | undefined): FirmwarePart | undefined {
  const ids = targets.map(target => target.replace(/\/+$/, '').split('/').at(-1)?.toLowerCase())
  const wanted = named?.toLowerCase()
  return (
    parts.find(({ id }) => ids.includes(id.toLowerCase())) ??
    parts.find(({ id, kind, name }) => [id, kind, name].some(word => word.toLowerCase() === wanted))
  )
}

/** The BMC's own firmware takes effect with its restart, the BIOS with the next one of the host. */
function apply(bmc: SimBmc, part: FirmwarePart, version: string): void {
  const { machine } = bmc
  if (part.kind === 'BMC') {
    flash(machine, part.id, version)
    restartBmc(bmc)
  } else if (machine.power === 'Off') flash(machine, part.id, version)
  else machine.staged = { ...machine.staged, [part.id]: version }
}
