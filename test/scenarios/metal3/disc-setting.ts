import { dataImages, hosts } from '../../../src/controllers/metal3/resources.ts'
import type { Millis } from '../../../src/core/duration.ts'
import type { Stage } from '../../../src/sim/stage.ts'
import type { Setting } from '../../../src/sim/story.ts'
import { discInvariants } from './disc-invariants.ts'
import { type HostLab, openHostLab } from './lab.ts'
import { hostProgram, hostSetting } from './setting.ts'
import { hostKey, hostWords } from './words.ts'

export const config = 'https://images.example/config.iso'
export const other = 'https://images.example/other.iso'

const discsIn = ({ rack }: HostLab): readonly string[] => Object.values(rack.machine('srv-1').media ?? {}).map(({ image }) => image)

const words = (stage: Stage<HostLab>) => ({
  ...hostWords(stage),
  /** A host that somebody else installed, and switched off. */
  installed: (more: object = {}) =>
    hostWords(stage).host({
      online: false,
      externallyProvisioned: true,
      inspectionMode: 'disabled',
      image: null,
      bootMACAddress: '52:54:00:00:00:01',
      ...more,
    }),
  disc: async (url: string, more: object = {}): Promise<void> => {
    const object = { apiVersion: 'metal3.io/v1alpha1', kind: 'DataImage', metadata: hostKey, spec: { url, ...more } }
    await stage.asUser(async kube => (await kube.find(dataImages, hostKey)) ?? kube.create(dataImages, object as never))
  },
  isOff: (within: Millis) => stage.reach(within, 'its machine is off', () => stage.devices.rack.machine('srv-1').power === 'Off'),
  runsWith: (discs: readonly string[], within: Millis) =>
    stage.reach(within, `its system runs with ${discs.length === 0 ? 'no disc' : discs.join()}`, () => {
      const { stage: at, source } = stage.devices.rack.machine('srv-1')
      return at === 'running' && source === 'Hdd' && discsIn(stage.devices).join() === discs.join()
    }),
  /** Or is in already: over sockets nobody sees every moment. */
  isBeingPutIn: (within: Millis) =>
    stage.reach(within, 'the disc is being put in', () => {
      const { begun, attachedImage } = stage.sight.objects(dataImages)[0]?.status ?? {}
      return begun?.step === 'insert' || attachedImage?.url !== undefined
    }),
  /** The restart that was asked for has been. */
  wasRestarted: (within: Millis) =>
    stage.reach(
      within,
      'its restart is over',
      () => stage.sight.objects(hosts)[0]?.metadata.annotations?.['reboot.metal3.io'] === undefined,
    ),
  discIsGone: (within: Millis) => stage.reach(within, 'the DataImage is gone', () => stage.sight.objects(dataImages).length === 0),
})

/** A machine with a system on its disk, a host for it, and discs that it finds. */
export const discSetting: Setting<HostLab, ReturnType<typeof words>> = {
  ...hostSetting,
  devices(world) {
    const lab = openHostLab(world)
    lab.rack.machine('srv-1').disk = { os: 'installed', steps: [] }
    return lab
  },
  program: (ports, lab) => hostProgram(ports, lab, { discs: same => same }),
  invariants: [...hostSetting.invariants, ...discInvariants],
  end: sight => ({
    ...(hostSetting.end(sight) as object),
    images: sight.objects(dataImages).map(({ spec, status }) => ({
      spec,
      attached: status?.attachedImage?.url,
      drive: status?.drive,
      begun: status?.begun?.step,
      error: status?.error?.message ?? '',
    })),
  }),
  words,
}
