import { isObject } from '../../../core/json.ts'
import type { Machine } from '../machine.ts'
import type { SimAgent } from './agent.ts'
import { found } from './found.ts'
import { steps } from './steps.ts'

export interface Ended {
  readonly result?: unknown
  readonly error?: object
}
export type Does = (
  machine: Machine,
  agent: SimAgent,
  params: Readonly<Record<string, unknown>>,
) => ({ readonly is: 'at once' } & Ended) | { readonly is: 'later'; readonly end: Promise<Ended> }

const atOnce = (result: unknown) => ({ is: 'at once' as const, result })
const versions = { Simulated: '1' }
const offers = (step: string, priority: number) => ({ step, priority, interface: 'deploy', reboot_requested: false })

/** Steps with the priorities that the real one has by itself. */
const deploySteps = [offers('erase_devices_metadata', 0), offers('write_image', 0), offers('start_assisted_install', 0)]
const cleanSteps = [offers('erase_devices', 10), offers('erase_devices_metadata', 99), offers('erase_pstore', 0)]

/** By manager: the real one's own makes volumes of the system, and only a maker's can speak to a RAID controller. */
function cleanStepsOf({ raidSteps }: Machine): object {
  const raid = ['delete_configuration', 'create_configuration'].map(step => ({ ...offers(step, 0), interface: 'raid' }))
  if (raidSteps === 'none') return { GenericHardwareManager: cleanSteps }
  if (raidSteps === undefined) return { GenericHardwareManager: [...cleanSteps, ...raid] }
  const own = raid.map(step => ({ ...step, reboot_requested: raidSteps === 'restarting' }))
  return { GenericHardwareManager: cleanSteps, ControllerManager: own }
}

/** The commands of an agent that Ironic uses, by what they are called. */
export const extensions: Readonly<Record<string, Does | undefined>> = {
  'poll.get_hardware_info': machine => atOnce(found(machine)),
  'deploy.get_deploy_steps': () => atOnce({ deploy_steps: { Simulated: deploySteps }, hardware_manager_version: versions }),
  'clean.get_clean_steps': machine => atOnce({ clean_steps: cleanStepsOf(machine), hardware_manager_version: versions }),
  'deploy.execute_deploy_step': (machine, agent, params) => ({ is: 'later', end: execute(machine, agent, params, 'deploy') }),
  'clean.execute_clean_step': (machine, agent, params) => ({ is: 'later', end: execute(machine, agent, params, 'clean') }),
  'image.install_bootloader': machine => ({ is: 'later', end: machine.site.clock.sleep(5_000).then(() => ({})) }),
  'standby.sync': () => atOnce(null),
  'log.collect_system_logs': machine => atOnce({ system_logs: Buffer.from(`journal of ${machine.name}`).toString('base64') }),
}

async function execute(machine: Machine, agent: SimAgent, params: Readonly<Record<string, unknown>>, kind: string): Promise<Ended> {
  const step = isObject(params['step']) ? params['step'] : {}
  const does = steps[String(step['step'])]
  if (!does) return failed('HardwareManagerMethodNotFound', `Could not find method: ${String(step['step'])}`)
  const node = isObject(params['node']) ? params['node'] : {}
  const end = await does(machine, agent, isObject(step['args']) ? step['args'] : {}, node)
  return typeof end === 'string'
    ? failed('DeploymentError', end)
    : { result: { [`${kind}_result`]: end?.result ?? null, [`${kind}_step`]: step } }
}

const failed = (type: string, details: string): Ended => ({ error: { type, code: 500, message: 'Deploy step failed', details } })
