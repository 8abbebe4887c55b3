import { seconds } from '../../core/duration.ts'
import type { HostOrder, RamdiskFiles, Turn } from '../../ports/provisioner.ts'
import { holdsDisc, putIn } from './disc.ts'
import { powerOff, powerOn } from './power.ts'
import { restart } from './restart.ts'
import type { There } from './sight.ts'
import { type Begun, giveUp, insist, note, soon } from './turns.ts'

/** How one try gets the ramdisk running: what is armed for a single boot, and what must be in a drive for it. */
type Way =
  | { readonly target: 'Cd'; readonly disc: string }
  | { readonly target: 'UefiHttp'; readonly uri: string }
  | { readonly target: 'Pxe' }

/** Switched off, its disc put in where it boots from one, armed for one boot, read back, switched on; from then on it is for the agent to call. */
export function bootRamdisk(machine: There, host: HostOrder, ramdisk: RamdiskFiles | { readonly missing: string }, begun: Begun): Turn {
  const way = wayOf(host, ramdisk, machine)
  if ('because' in way) return giveUp(begun, way.because, false)
  const { memory } = begun
  const switchedOn = memory?.work === begun.work && memory.step === 'switchOn'
  if (switchedOn && machine.power === 'On') return calls(host, begun)
  // Somebody switched it off again, and the one boot that was armed is gone: it must not come up from somewhere else.
  if (switchedOn && machine.power === 'Off' && !isArmed(machine, way))
    return giveUp(begun, 'it went off again by itself before it booted the ramdisk')
  const inBoot: Begun = { ...begun, stage: 'boot' }
  const off = begun.work === 'clean' ? host.off : 'hard'
  const stays = host.neverOff && machine.power !== 'Off'
  const restarted = memory?.work === begun.work && memory.step === 'restart' && memory.stage === 'boot'
  if (stays && restarted) {
    const turn = restart(machine, off, inBoot)
    return turn.is === 'done' ? calls(host, begun) : turn
  }
  if (!switchedOn) {
    // Whatever ran before: it is told where to boot from only while it is off, or right before it is restarted.
    const isOff = stays ? undefined : powerOff(machine, { off, neverOff: false }, inBoot)
    if (isOff && isOff.is !== 'done') return isOff
    if (way.target === 'Cd' && !holdsDisc(machine, way.disc)) return putIn(machine, way.disc, inBoot)
    if (!isArmed(machine, way)) return arm(machine, way, inBoot)
    if (stays) return restart(machine, off, inBoot)
  }
  return powerOn(machine, inBoot)
}

const calls = ({ neverOff }: HostOrder, begun: Begun): Turn => ({
  is: 'progress',
  because: 'it boots the ramdisk; its agent will call',
  again: soon,
  powered: true,
  memory: note(begun, 'call', { stage: 'agent', ...(neverOff ? { runs: 'ramdisk' } : {}) }),
})

function wayOf(host: HostOrder, ramdisk: RamdiskFiles | { readonly missing: string }, machine: There): Way | { readonly because: string } {
  if ('missing' in ramdisk) return { because: ramdisk.missing }
  const { scheme, boots } = host.address
  switch (boots) {
    case 'VirtualMedia':
      return ramdisk.iso === undefined
        ? { because: `a ${scheme} host boots its ramdisk from a disc, and ${noDisc(ramdisk)}` }
        : { target: 'Cd', disc: ramdisk.iso }
    case 'Http':
      if (ramdisk.iso === undefined) return { because: `a ${scheme} host fetches its ramdisk as a disc, and ${noDisc(ramdisk)}` }
      return machine.takesUri
        ? { target: 'UefiHttp', uri: ramdisk.iso }
        : { because: 'its management controller takes no address to boot from over HTTP' }
    case 'Pxe':
      return ramdisk.kernel === undefined || ramdisk.initramfs === undefined
        ? { because: `a ${scheme} host boots its ramdisk over the network, and no kernel and initramfs are set up` }
        : { target: 'Pxe' }
    default:
      return boots satisfies never
  }
}

/** Firmware starts neither a kernel with an initramfs nor tells it anything: that takes a boot loader, and none is brought along. */
const noDisc = ({ kernel }: RamdiskFiles): string =>
  kernel === undefined
    ? 'none is set up'
    : 'only a kernel and an initramfs are set up, of which no disc is made here: set one up, too (--ramdisk-iso), or let one be built for each host'

const isArmed = ({ armed }: There, way: Way): boolean =>
  armed.lasts !== 'Disabled' &&
  armed.target === way.target &&
  (way.target !== 'UefiHttp' || armed.uri === undefined || armed.uri === way.uri)

const arm = ({ armed }: There, way: Way, begun: Begun): Turn =>
  insist(
    begun,
    { do: 'bootOnce', target: way.target, ...(way.target === 'UefiHttp' ? { uri: way.uri } : {}) },
    {
      asks: 'it is told to boot the ramdisk next',
      waits: 'it is being told to boot the ramdisk next',
      gaveUp: `its management controller does not keep ${way.target} for its next boot (it shows ${armed.raw}, ${armed.lasts})`,
      patience: seconds(30),
    },
  )
