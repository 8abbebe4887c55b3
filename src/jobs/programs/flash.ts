import { type Millis, minutes, seconds } from '../../core/duration.ts'
import { Fault } from '../../core/fault.ts'
import { sameVersion } from '../../policy/firmware/version-order.ts'
import type { Bmc } from '../../ports/index.ts'
import { failed } from './exit.ts'
import { placeOf, type Source, verified } from './image.ts'
import type { MachineOf } from './machine.ts'
import type { ProgramPorts } from './program.ts'
import { tasksOf, untilQuiet } from './quiet.ts'
import type { Note, Target } from './target.ts'

export interface Flash {
  /** How people call it. */
  readonly label: string
  readonly version: string
  /** The version that the BMC shows now. */
  read(bmc: Bmc, signal: AbortSignal): Promise<string | undefined>
  /** Asked only where an image is needed. */
  source(): Source
  readonly targets: readonly string[] | undefined
}

export interface FlashGround {
  readonly machine: MachineOf
  readonly target: Pick<Target<unknown>, 'note' | 'before'>
  readonly ports: Pick<ProgramPorts, 'images' | 'signal'>
  readonly found: 'On' | 'Off'
}

/** `waits`: written, and the old version is shown until the machine is reset. */
export type Written = 'runs' | 'waits'

/** A task that is at the same percent for so long will not end. */
const stuck = minutes(20)
/** A new task may not be listed yet (iDRAC: half a minute), so an empty list says nothing before this. */
const young = seconds(90)
/** The BMC shows the new version late, or restarts first. */
const late = minutes(3)
/** A task that vanished may still be at work. */
const lost = minutes(15)

/** Brings one component to a version, as far as that goes without a reset. Goes on with what an earlier try began. */
export async function flash(ground: FlashGround, wish: Flash): Promise<Written> {
  const { machine, target } = ground
  const step = `writes ${wish.label} ${wish.version}`
  const runs = async (): Promise<boolean> => {
    const version = await machine.look(wish.read)
    return version !== undefined && sameVersion(version, wish.version)
  }
  if (await runs()) return 'runs'
  const shows = async (within: Millis): Promise<boolean> => {
    for (const began = machine.elapsed(); machine.elapsed() - began < within; await machine.sleep(seconds(15)))
      if (await runs()) return true
    return false
  }
  const { step: noted, task } = target.before
  if (noted === step) {
    machine.say(`An earlier try ${noted}${task === undefined ? '' : ` (${task})`}: looks what became of it`)
    const ended = await follow(ground, step, task)
    // What vanished, or is said to be done, counts for nothing: only the version does.
    if (await shows(ended === 'gone' && task !== undefined ? lost : late)) return 'runs'
    if (task !== undefined) return 'waits'
    machine.say('Nothing is under way, and nothing came of it: begins anew')
  }
  const written = await write(ground, wish, step, runs)
  return written === 'runs' || (await shows(written === 'gone' ? lost : late)) ? 'runs' : 'waits'
}

async function write(
  { machine, target, ports, found }: FlashGround,
  wish: Flash,
  step: string,
  runs: () => Promise<boolean>,
): Promise<'runs' | 'ended' | 'gone'> {
  const source = wish.source()
  const ways = await machine.look(async (bmc, signal) => (await bmc.firmware?.ways(signal)) ?? [])
  const way = wayOf(ways, source.delivery)
  if (way === undefined)
    throw failed(
      `The BMC takes no firmware as JobRunner says (${source.delivery ?? 'Auto'}): it offers ${ways.length > 0 ? ways.join(', ') : 'no way'}`,
    )
  machine.say(`Reads ${placeOf(source.url)} and checks its digest`)
  const image = await verified(ports.images, source, way === 'push', ports.signal)
  await untilQuiet(machine)
  // What was under way may have been this very thing.
  if (await runs()) return 'runs'
  const note: Note = { step, power: found }
  await target.note(note)
  const { label, targets } = wish
  const begun = await machine.change(`Hands ${label} ${wish.version} to the BMC (${way})`, async ({ firmware }, signal) => {
    if (!firmware) throw new Fault('bmc/not-offered', 'Cannot update firmware: the BMC has no update service', 'when-changed')
    return image ? firmware.push(nameIn(source.url), image, targets, signal) : firmware.update(source.url, targets, signal)
  })
  if ('later' in begun) throw failed(begun.later)
  const task = 'is' in begun ? begun.is : undefined
  if (task !== undefined) await target.note({ ...note, task })
  const ended = await follow({ machine, target, ports, found }, step, task)
  const version = 'lost' in begun ? await machine.look(wish.read) : undefined
  if ('lost' in begun && !sameVersion(version ?? '', wish.version))
    throw failed(`Nobody knows whether the BMC took ${label} ${wish.version}, and nothing is under way there: ${begun.lost}`)
  return ended
}

function wayOf(ways: readonly ('update' | 'push')[], delivery: Source['delivery']): 'update' | 'push' | undefined {
  // What was checked is what is written only where it is sent.
  const wanted: readonly ('update' | 'push')[] = delivery === 'Push' ? ['push'] : delivery === 'Pull' ? ['update'] : ['push', 'update']
  return wanted.find(way => ways.includes(way))
}

const nameIn = (url: string): string => new URL(url).pathname.split('/').at(-1) || 'firmware.bin'

/** Waits for the end of a task. `gone`: the BMC does not know it (any more), which says nothing. */
async function follow({ machine, target, found }: FlashGround, step: string, task: string | undefined): Promise<'ended' | 'gone'> {
  let moved: Millis = machine.elapsed()
  let seen = ''
  let told = -1
  let idleSince: Millis | undefined
  for (;;) {
    const state = task === undefined ? undefined : await machine.look(async (bmc, signal) => bmc.firmware?.task(task, signal))
    if (state?.state === 'Succeeded') return 'ended'
    if (state?.state === 'Failed') throw failed(`The BMC could not do it (${step}): ${state.message ?? 'it does not say why'}`)
    if (state?.state === 'Gone') return 'gone'
    const going = await tasksOf(machine)
    if (going.length > 0) idleSince = undefined
    else {
      idleSince ??= machine.elapsed()
      // Nothing is under way, though the task has no end: it waits for a reset. Or nobody named it, and it is over.
      if (machine.elapsed() - idleSince >= young) return task === undefined ? 'gone' : 'ended'
    }
    const shown = `${state?.percent ?? ''} ${going.join()}`
    if (shown !== seen) {
      seen = shown
      moved = machine.elapsed()
    }
    if (machine.elapsed() - moved >= stuck)
      throw failed(
        `The BMC has shown ${state?.percent === undefined ? 'no progress' : `${state.percent} %`} for ${stuck / minutes(1)} minutes (${step}, ${task ?? going.join()}): it is stuck`,
      )
    const percent = state?.percent
    if (percent !== undefined && percent >= told + 20) {
      told = percent
      machine.say(`${step}: ${percent} %`)
      await target.note({ step, task, progress: Math.floor(percent), power: found })
    }
    await machine.sleep(seconds(10))
  }
}
