import { type Attempt, chooseBoot } from './choose.ts'
import { loadHttp } from './load-http.ts'
import { loadImage } from './load-image.ts'
import { loadPxe } from './load-pxe.ts'
import type { LoadedFrom } from './loaded.ts'
import { enter, type Machine } from './machine.ts'
import { runProgram } from './run-program.ts'
import type { Step } from './world.ts'

/** Tries boot sources in order until one runs. Ends where the next power event begins. */
export async function boot(machine: Machine): Promise<void> {
  const { epoch } = machine
  enter(machine, 'loading')
  for (const attempt of chooseBoot(machine)) {
    const loaded = await load(machine, attempt)
    if (machine.epoch !== epoch) return
    if ('failed' in loaded) {
      machine.site.tell(machine.name, { what: 'boot-failed', from: attempt.from, because: loaded.failed })
      continue
    }
    machine.site.tell(machine.name, {
      what: 'boots',
      from: attempt.from,
      by: attempt.by,
      ...(attempt.uri === undefined ? {} : { url: attempt.uri }),
    })
    machine.source = attempt.from
    if ('stop' in loaded) {
      enter(machine, loaded.stop)
      machine.site.tell(machine.name, { what: 'stops-in', place: loaded.stop })
      return
    }
    return start(machine, attempt, loaded.os, loaded.steps)
  }
  enter(machine, 'stuck')
  machine.site.tell(machine.name, { what: 'stops-in', place: 'nowhere' })
}

async function start(machine: Machine, attempt: Attempt, os: string, steps: readonly Step[]): Promise<void> {
  const { epoch } = machine
  await machine.site.clock.sleep(machine.model.times.osStart)
  if (machine.epoch !== epoch) return
  enter(machine, 'running')
  machine.site.tell(machine.name, { what: 'runs', from: attempt.from, os })
  await runProgram(machine, steps)
}

async function load(machine: Machine, { from, uri }: Attempt): Promise<LoadedFrom> {
  switch (from) {
    case 'Hdd':
      return loadDisk(machine)
    case 'Cd':
      return loadCd(machine)
    case 'UefiHttp':
      return loadHttp(machine, uri)
    case 'Pxe':
      return loadPxe(machine)
    case 'BiosSetup':
      return { stop: 'setup' }
    case 'UefiShell':
      return loadShell(machine)
    case 'Other':
      return { failed: 'nothing that this machine has is there' }
    default:
      return from satisfies never
  }
}

/** An installation in stages does something else at each of its boots. */
function loadDisk(machine: Machine): LoadedFrom {
  const { disk } = machine
  if (!disk) return { failed: 'the disk is empty' }
  const [next, ...later] = disk.later ?? []
  if (next) machine.disk = { ...disk, steps: next, later }
  return disk
}

/** The shell is not signed: with Secure Boot on, firmware refuses it and goes on. Without, a script on the disk turns it into a boot. */
async function loadShell(machine: Machine): Promise<LoadedFrom> {
  if (machine.secureBoot) return { failed: 'the shell is not signed' }
  if (!machine.disk?.startupScript) return { stop: 'shell' }
  await machine.site.clock.sleep(5_000)
  return loadDisk(machine)
}

async function loadCd(machine: Machine): Promise<LoadedFrom> {
  const medium = Object.values(machine.media ?? {}).find(({ leaving }) => !leaving)
  if (!medium) return { failed: 'no medium is inserted' }
  return loadImage(machine, medium.image, 'Cd')
}
