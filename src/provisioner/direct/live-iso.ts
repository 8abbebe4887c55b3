import { seconds } from '../../core/duration.ts'
import type { HostOrder, Turn } from '../../ports/provisioner.ts'
import { holdsDisc, putIn } from './disc.ts'
import { powerOff, powerOn } from './power.ts'
import { restart } from './restart.ts'
import type { There } from './sight.ts'
import { type Begun, done, givenFor, insist } from './turns.ts'

/** Boots a disc that stays in: noted, put in while the machine is off, read back, made its boot device, then switched on. */
export function deployLiveIso(machine: There, host: HostOrder, begun: Begun): Turn {
  const url = host.image?.url ?? ''
  const holds = holdsDisc(machine, url)
  const step = begun.memory?.work === 'deploy' ? begun.memory.step : undefined
  if (holds && machine.power === 'On' && step === 'switchOn') return done('it runs from its disc')
  const stays = host.neverOff && machine.power !== 'Off'
  if (holds && stays && step === 'restart') {
    const turn = restart(machine, host.off, begun)
    return turn.is === 'done' ? done('it runs from its disc') : turn
  }
  if ((!holds || !isArmed(machine)) && !stays) {
    // Whatever ran before: its disc and its boot device are changed only while it is off, or right before it is restarted.
    const off = powerOff(machine, { ...host, neverOff: false }, begun)
    if (off.is !== 'done') return off
  }
  if (!holds) return putIn(machine, url, begun)
  const told = bootDisc(machine, begun)
  if (told) return told
  return stays ? restart(machine, host.off, begun) : powerOn(machine, begun)
}

const patience = seconds(30)

const isArmed = ({ armed }: There): boolean => armed.target === 'Cd' && armed.lasts !== 'Disabled'

/** Its disc for good; where a controller cannot keep that, or says that it can and does not, for its next boot. */
function bootDisc(machine: There, begun: Begun): Turn | undefined {
  if (isArmed(machine)) return undefined
  const refused = begun.memory?.work === begun.work && (begun.memory.step === 'bootOnce' || (givenFor(begun, 'bootFrom') ?? 0) >= patience)
  return insist(begun, machine.keeps && !refused ? { do: 'bootFrom', target: 'Cd' } : { do: 'bootOnce', target: 'Cd' }, {
    asks: 'it is told to boot from its disc',
    waits: 'it is being told to boot from its disc',
    gaveUp: `its management controller does not keep its disc as the boot device (it shows ${machine.armed.raw}, ${machine.armed.lasts})`,
    patience,
  })
}

/** Before a host that runs from a disc starts again: one that was armed for a single boot would come up from its disk. */
export const bootDiscAgain = (machine: There, host: HostOrder, begun: Begun): Turn | undefined =>
  isLive(host) && holdsDisc(machine, host.image?.url ?? '') ? bootDisc(machine, begun) : undefined

export const isLive = ({ image, customDeploy }: HostOrder): boolean => image?.format === 'live-iso' && customDeploy === undefined
