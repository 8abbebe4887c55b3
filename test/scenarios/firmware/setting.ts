import { crdOf } from '../../../src/api/crd.ts'
import { kinds } from '../../../src/api/kinds.ts'
import {
  type JobRunner,
  jobRunners,
  type ServerBIOS,
  type ServerFirmware,
  serverBioses,
  serverFirmwares,
} from '../../../src/controllers/firmware/resources.ts'
import { servers } from '../../../src/controllers/metal/resources.ts'
import { seconds } from '../../../src/core/duration.ts'
import type { KubeObject } from '../../../src/core/object.ts'
import type { Clock, Kube, NewObject, ResourceRef } from '../../../src/ports/index.ts'
import { firmwareVersion } from '../../../src/sim/machine/machine.ts'
import type { Stage } from '../../../src/sim/stage.ts'
import type { Setting } from '../../../src/sim/story.ts'
import { digestOf } from '../../firmware/story.ts'
import { insist } from '../insist.ts'
import { hasty, type Lab, openLab } from '../metal/lab.ts'
import { metalWords } from '../metal/words.ts'
import { firmwareInvariants } from './invariants.ts'
import { firmwareApart, firmwareProgram, ownImage, shelf, wanted, wantedPart } from './program.ts'

const metal = 'metal.ironcore.dev/v1alpha1'
const key = { name: 'b1' }

const sources = [
  { component: 'BIOS', version: wanted, url: 'https://firmware.example/bios', delivery: 'Push' },
  { component: 'Network adapter', version: wantedPart, url: 'https://firmware.example/NIC-21.0.0.bin', delivery: 'Pull' },
].map(source => ({ ...source, digest: digestOf(shelf[source.url]!) }))

export const firmwareWords = (stage: Stage<Lab>) => {
  const words = metalWords(stage)
  const create = <T extends KubeObject>(of: ResourceRef<T>, kind: string, name: string, spec: object): Promise<void> =>
    stage.asUser(async kube => {
      if (!(await kube.find(of, { name })))
        await kube.create(of, { apiVersion: metal, kind, metadata: { name }, spec } as unknown as NewObject<T>)
    })
  const spec = { scanPeriodMinutes: 999_999, serverRef: { name: 'srv-1-system-0' } }
  /** Where versions come from. */
  const offers = (more: object = {}) =>
    create<JobRunner>(jobRunners, 'JobRunner', 'default', { image: ownImage, sources, ttlSecondsAfterFinished: 604_800, ...more })
  return {
    ...words,
    /** A server that discovery left free, and where versions come from. */
    async isFree(runner: object = {}): Promise<void> {
      await words.server('srv-1')
      await words.bmc('srv-1')
      await offers(runner)
    },
    offers,
    wishes: (bios: object, more: object = {}) => create<ServerBIOS>(serverBioses, 'ServerBIOS', key.name, { ...spec, bios, ...more }),
    wishesParts: (firmwares: readonly object[]) =>
      create<ServerFirmware>(serverFirmwares, 'ServerFirmware', key.name, { ...spec, firmwares }),
  }
}

/** For twenty seconds nobody wants anything: what is under way is not what is wanted, and then it is again. */
async function changesMind(user: Kube, clock: Clock): Promise<void> {
  const bios = await user.find(serverBioses, key).catch(() => undefined)
  const parts = await user.find(serverFirmwares, key).catch(() => undefined)
  const { version, settings } = bios?.spec.bios ?? {}
  const wants = async (): Promise<void> => {
    if (bios && (await user.find(serverBioses, key)))
      await user.patch(serverBioses, key, { merge: { spec: { bios: { version, settings } } } })
    if (parts && (await user.find(serverFirmwares, key)))
      await user.patch(serverFirmwares, key, { merge: { spec: { firmwares: parts.spec.firmwares } } })
  }
  const nothing = Object.fromEntries(Object.keys(settings ?? {}).map(name => [name, null]))
  // One at a time: two would not know what to go back to.
  if ((bios && version === undefined && Object.keys(settings ?? {}).length === 0) || parts?.spec.firmwares.length === 0) return
  clock.after(seconds(20), () => void insist(clock, wants))
  if (bios) await user.patch(serverBioses, key, { merge: { spec: { bios: { version: null, settings: nothing } } } }).catch(() => {})
  if (parts) await user.patch(serverFirmwares, key, { merge: { spec: { firmwares: [] } } }).catch(() => {})
}

const shown = ({ metadata, status }: ServerBIOS | ServerFirmware) => ({
  name: metadata.name,
  runs: status?.runningJob !== undefined,
  trouble: status?.trouble !== undefined,
  scanTrouble: status?.scanTrouble !== undefined,
  inSync: status?.conditions?.find(({ type }) => type === 'InSync')?.status,
})

export const firmwareSetting: Setting<Lab, ReturnType<typeof firmwareWords>> = {
  crds: kinds.map(crdOf) as readonly KubeObject[],
  devices: world => openLab(world, ['srv-1'], { personality: hasty, files: shelf }),
  program: (ports, lab) => firmwareProgram(ports, lab),
  invariants: firmwareInvariants,
  end: sight => {
    const machine = sight.devices.rack.machine('srv-1')
    return {
      bioses: sight.objects(serverBioses).map(one => ({ ...shown(one), bios: one.status?.bios })),
      firmwares: sight.objects(serverFirmwares).map(one => ({ ...shown(one), firmwares: one.status?.firmwares })),
      servers: sight.objects(servers).map(({ spec, status }) => ({
        refs: [spec.biosRef?.name, spec.firmwareRef?.name],
        updater: spec.updateRef?.job,
        state: status?.state,
      })),
      machine: {
        power: machine.power,
        versions: machine.model.firmware.map(({ id }) => firmwareVersion(machine, id)),
        settings: machine.bios,
        pending: machine.biosPending,
        armed: machine.armed.lasts,
      },
    }
  },
  words: firmwareWords,
  beside: lab => lab.beside,
  close: lab => lab.stop(),
  meddle: changesMind,
  // An object that is made anew has forgotten what runs for it.
  without: ['recreated'],
  together: true,
  series: true,
}

/** Two that compete for a Lease, the API server apart, and Jobs that run whoever leads. */
export const firmwareProcesses: typeof firmwareSetting = { ...firmwareSetting, program: firmwareApart, together: false }
