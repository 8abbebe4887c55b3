import { minutes, seconds } from '../../core/duration.ts'
import { sameVersion } from '../../policy/firmware/version-order.ts'
import type { HostOrder, Turn, UpdateNote } from '../../ports/provisioner.ts'
import type { FirmwareLook } from './firmware-sight.ts'
import { reset } from './reset.ts'
import type { There } from './sight.ts'
import { type Begun, begin, givenFor, givenUp, giveUp, note, often, pending, soon } from './turns.ts'

/** A task that comes no further for so long will not end. */
const stuck = minutes(20)
/** A new task may not be listed yet (iDRAC: half a minute): nothing follows from an empty list before this. */
export const young = seconds(90)
/** The new version shows late, or the controller restarts first. */
const late = minutes(3)
/** A task that nobody can ask about may still be at work. */
const lost = minutes(15)

/** Writes one component after the other; undefined when nothing is left to be written. */
export function updateTurn(machine: There, look: FirmwareLook, host: HostOrder, begun: Begun): Turn | undefined {
  const { memory } = begun
  if (memory?.work === begun.work && memory.update) return follow(machine, look, host, begun, memory.update)
  // Somebody lost patience with it, and it may have come to its end since: it is read back, and not written anew.
  if (memory?.work === 'none' && memory.update)
    return follow(machine, look, host, { ...begun, memory: { ...memory, work: begun.work, attempt: memory.attempt + 1 } }, memory.update)
  const [next] = host.firmware?.updates ?? []
  return next && write(look, next, begun)
}

function write({ components, ways }: FirmwareLook, { component, url }: { component: string; url: string }, begun: Begun): Turn {
  const found = components.find(one => one.component === component)
  if (!found) return giveUp(begun, `nothing was written: it has no component ${component}`, false)
  if (!ways.includes('update'))
    return giveUp(begun, `${component} cannot be written: its management controller does not fetch firmware by itself`, false)
  return begin(begun, `${component} is written (it has ${found.version})`, asStep(url, found.target), {
    update: { component, url, before: found.version },
  })
}

const asStep = (url: string, target: string | undefined) => ({ do: 'update', url, ...(target === undefined ? {} : { target }) }) as const

function follow(machine: There, look: FirmwareLook, host: HostOrder, begun: Begun, update: UpdateNote): Turn {
  const { component, url, before } = update
  const now = look.components.find(one => one.component === component)?.version
  const runs = now !== undefined && !sameVersion(now, before)
  const given = givenFor(begun, 'update')
  if (look.running.length > 0) return goesOn(look, begun, update)
  if (look.task?.state === 'Failed') return giveUp(begun, `${component} could not be written: ${look.task.message ?? 'nobody says why'}`)
  if (given !== undefined && look.answer?.refused !== undefined) return giveUp(begun, `${component} is not taken: ${look.answer.refused}`)
  // Said to be done counts for nothing: only what is read back does.
  if (runs && (given === undefined || given >= young || look.task?.state === 'Succeeded'))
    return {
      is: 'progress',
      because: `${component} was written, and has ${now} now`,
      again: soon,
      memory: note(begun, 'written', { update: null }),
      wrote: { component, url, version: now },
    }
  if (given !== undefined) return ends(look, begun, update, given)
  if (begun.memory?.step === givenUp)
    return { is: 'progress', because: `${component} is read back`, again: often, memory: note(begun, 'readBack', { update }) }
  return takesEffect(machine, host, begun, update, now)
}

/** How far it is, noted now and then: whoever comes next knows since when it has been no further. */
function goesOn({ task, running }: FirmwareLook, begun: Begun, update: UpdateNote): Turn {
  const percent = task?.percent === undefined ? undefined : Math.floor(task.percent)
  const given = givenFor(begun, 'update')
  const words = `${update.component} is being written${percent === undefined ? '' : `: ${percent} %`}`
  const known = update.task ?? running[0]
  if (given === undefined || update.task === undefined || (percent !== undefined && percent >= (update.percent ?? 0) + 20))
    return {
      is: 'progress',
      because: words,
      again: often,
      memory: note(begun, 'update', {
        update: { ...update, ...(known === undefined ? {} : { task: known }), ...(percent === undefined ? {} : { percent }) },
      }),
    }
  if (given >= stuck)
    return giveUp(
      begun,
      `${update.component} has been at ${percent === undefined ? 'the same point' : `${percent} %`} for ${stuck / minutes(1)} minutes: it is stuck`,
      true,
      { update },
    )
  return pending(words)
}

/** Nothing is under way any more, or not yet, and the version is the old one. */
function ends({ task, answer, components }: FirmwareLook, begun: Begun, update: UpdateNote, given: number): Turn {
  const known = update.task ?? answer?.task
  const isOver = task?.state === 'Succeeded' || (known !== undefined && task !== undefined && task.state !== 'Gone' && given >= young)
  const { tries = 1 } = begun.memory ?? {}
  const patience = answer?.later === undefined ? lost : seconds(30) * tries
  // Nobody ever saw a task of it: it may never have arrived.
  if (!isOver && given >= patience && known === undefined && tries < 5)
    return begin(
      begun,
      `${update.component} is written once more: nothing came of it`,
      asStep(update.url, components.find(({ component }) => component === update.component)?.target),
      { update, tries: tries + 1 },
    )
  if (!isOver && given < lost) return pending(`${update.component}: its task is not to be seen; what became of it shows by its version`)
  return {
    is: 'progress',
    because: `${update.component} is written, and read back`,
    again: often,
    memory: note(begun, 'readBack', { update: { ...update, ...(known === undefined ? {} : { task: known }) } }),
  }
}

/** Some show the new version by themselves after a while, others with the next start. */
function takesEffect(machine: There, host: HostOrder, begun: Begun, { component, before }: UpdateNote, now: string | undefined): Turn {
  const waited = givenFor(begun, 'readBack')
  if (waited !== undefined && waited < late) return pending(`${component} is read back`)
  const turn = reset(machine, host, begun, false)
  if (turn) return turn
  const started = givenFor(begun, 'switchOn') ?? givenFor(begun, 'restart') ?? 0
  if (started < late * 2) return pending(`${component} is read back after a start`)
  return giveUp(
    begun,
    `no failure was reported, yet ${component} has ${now ?? 'no version'} after a start, as before (${before}): nothing else was read back`,
  )
}
