import { bootStateOf, registrationOf } from '../../agent/payload.ts'
import { ask } from './ask.ts'
import { runAssistedAgent } from './assisted-agent/agent.ts'
import { findingsOf } from './findings.ts'
import { runIronicAgent } from './ironic-agent/agent.ts'
import type { Machine } from './machine.ts'
import { powerOff, restart } from './power.ts'
import type { Step } from './world.ts'

/** How often an operating system asks again for what it needs, and how long between. */
const patience = { tries: 120, between: 5_000 }

/** Does what the running system does, until it ends or a power event ends it. */
export async function runProgram(machine: Machine, steps: readonly Step[]): Promise<void> {
  const { epoch } = machine
  for (const step of steps) {
    const goesOn = await perform(machine, step, epoch)
    if (!goesOn || machine.epoch !== epoch) return
  }
}

async function perform(machine: Machine, step: Step, epoch: number): Promise<boolean> {
  const { clock } = machine.site
  switch (step.do) {
    case 'fetch':
      return insist(machine, epoch, () => ask(machine, { method: 'GET', url: step.url }, 'rackwright-sim-os/1.0'))
    case 'post': {
      const body = Buffer.from(step.body)
      return insist(machine, epoch, () => ask(machine, { method: 'POST', url: step.url, body }, 'rackwright-sim-os/1.0'))
    }
    case 'probe': {
      const found = findingsOf(machine)
      const post = (path: string, body: object) =>
        insist(machine, epoch, () =>
          ask(machine, { method: 'POST', url: `${step.url}${path}`, body: Buffer.from(JSON.stringify(body)) }, 'rackwright-probe'),
        )
      return (await post('/register', registrationOf(found))) && post('/bootstate', bootStateOf(found.systemUUID))
    }
    case 'ironic-agent': {
      const { url: api, callback, token, assisted } = step
      const told = {
        ...(callback === undefined ? {} : { callback }),
        ...(token === undefined ? {} : { token }),
        ...(assisted === undefined ? {} : { assisted }),
      }
      await runIronicAgent(machine, { api, ...told })
      return false
    }
    case 'assisted-agent':
      if (await runAssistedAgent(machine, step.assisted, 'assisted')) restart(machine, 'OS')
      return false
    case 'wait':
      await clock.sleep(step.ms)
      return true
    case 'install':
      await clock.sleep(machine.model.times.install)
      if (machine.epoch !== epoch) return false
      machine.disk = { os: step.os, steps: step.then ?? [], ...(step.later ? { later: step.later } : {}) }
      machine.site.tell(machine.name, { what: 'installed', os: step.os })
      return true
    case 'wipe':
      machine.disk = undefined
      machine.site.tell(machine.name, { what: 'wiped' })
      return true
    case 'reboot':
      restart(machine, 'OS')
      return false
    case 'power-off':
      powerOff(machine, 'OS', machine.model.times.powerOff)
      return false
    case 'ignore-power-button':
      machine.deaf = true
      return true
    default:
      return step satisfies never
  }
}

async function insist(machine: Machine, epoch: number, once: () => Promise<{ readonly status: number } | undefined>): Promise<boolean> {
  for (let tried = 0; tried < patience.tries && machine.epoch === epoch; tried++) {
    const status = (await once())?.status ?? 0
    if (status >= 200 && status < 300) return true
    await machine.site.clock.sleep(patience.between)
  }
  return false
}
