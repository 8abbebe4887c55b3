import { type ResetType, reset } from '../../machine/power.ts'
import { isOn } from '../../misbehaviour/switches.ts'
import type { SimBmc } from '../bmc.ts'
import { done, type Extra, type Outcome } from '../node.ts'
import { Refusal } from '../refusal.ts'
import { fixed } from './shape.ts'

/** How long after power-off an iDRAC10 refuses to power on, where that fault is switched on. */
const rest = 10_000

export const power: Extra = kit => {
  const { make, at } = kit
  const { resetTypes, listed } = make.power
  kit.node(`${at.system}/Actions/ComputerSystem.Reset`, { action: true, post: (bmc, call) => resetHost(bmc, call.body()['ResetType']) })
  if (listed === 'action-info')
    fixed(kit, `${at.system}/ResetActionInfo`, 'ActionInfo.v1_2_0.ActionInfo', 'Reset Action Info', {
      Parameters: [{ Name: 'ResetType', Required: true, DataType: 'String', AllowableValues: resetTypes }],
    })
  kit.node(`${at.manager}/Actions/Manager.Reset`, {
    action: true,
    post(bmc, call) {
      const type = call.body()['ResetType']
      const { managerResets } = make.power
      if (type !== undefined && !managerResets.includes(String(type)))
        throw new Refusal(400, 'ActionParameterValueNotInList', [String(type), 'ResetType', 'Manager.Reset'])
      restartBmc(bmc)
      return done
    },
  })
}

function resetHost(bmc: SimBmc, type: unknown): Outcome {
  const { machine, make } = bmc
  const { resetTypes, already } = make.personality.power
  if (type === undefined) throw new Refusal(400, 'ActionParameterMissing', ['ComputerSystem.Reset', 'ResetType'])
  if (typeof type !== 'string' || !(resetTypes as readonly string[]).includes(type))
    throw new Refusal(400, 'ActionParameterValueNotInList', [String(type), 'ResetType', 'ComputerSystem.Reset'])
  const now = machine.site.clock.now()
  if (type === 'On' && machine.power === 'Off' && now - machine.powerSince < rest && isOn(machine, 'conflict-after-off'))
    throw new Refusal(409, 'ResourceInUse')
  const accepted = reset(machine, type as ResetType)
  if (accepted === 'standby') throw new Refusal(409, 'ResourceInStandby')
  if (accepted === 'already' && already !== 204) throw new Refusal(already, 'NoOperation')
  return done
}

/** Sessions end, running tasks are forgotten, and nothing answers until it is back. */
export function restartBmc(bmc: SimBmc): void {
  const { clock } = bmc.site
  bmc.silentUntil = clock.now() + bmc.machine.model.times.bmcRestart
  bmc.closed += bmc.sessions?.length ?? 0
  bmc.sessions = undefined
  bmc.site.tell(bmc.machine.name, { what: 'bmc-restarts' })
}
