import { crdOf } from '../../../src/api/crd.ts'
import { kinds } from '../../../src/api/kinds.ts'
import { type JobRunner, jobRunners, type ServerBIOS, serverBioses } from '../../../src/controllers/firmware/resources.ts'
import { servers } from '../../../src/controllers/metal/resources.ts'
import { seconds } from '../../../src/core/duration.ts'
import type { KubeObject } from '../../../src/core/object.ts'
import type { Clock, Kube, NewObject } from '../../../src/ports/index.ts'
import { firmwareVersion } from '../../../src/sim/machine/machine.ts'
import type { Stage } from '../../../src/sim/stage.ts'
import type { Setting } from '../../../src/sim/story.ts'
import { bytesOf, digestOf } from '../../firmware/story.ts'
import { insist } from '../insist.ts'
import { type Lab, openLab } from '../metal/lab.ts'
import { metalWords } from '../metal/words.ts'
import { firmwareInvariants } from './invariants.ts'
import { firmwareProgram, ownImage, wanted } from './program.ts'

const metal = 'metal.ironcore.dev/v1alpha1'

const firmwareWords = (stage: Stage<Lab>) => {
  const words = metalWords(stage)
  return {
    ...words,
    /** A server that discovery left free, somebody who wants another BIOS for it, and where that comes from. */
    async wishes(): Promise<void> {
      await words.server('srv-1')
      await words.bmc('srv-1')
      const source = {
        component: 'BIOS',
        version: wanted,
        url: 'https://firmware.example/bios',
        digest: digestOf(bytesOf('BIOS', wanted)),
        delivery: 'Push',
      }
      const runner = { image: ownImage, sources: [source], ttlSecondsAfterFinished: 604_800 }
      const spec = { scanPeriodMinutes: 999_999, serverRef: { name: 'srv-1-system-0' }, bios: { version: wanted } }
      await stage.asUser(async kube => {
        if (!(await kube.find(jobRunners, { name: 'default' })))
          await kube.create(jobRunners, {
            apiVersion: metal,
            kind: 'JobRunner',
            metadata: { name: 'default' },
            spec: runner,
          } as unknown as NewObject<JobRunner>)
      })
      await stage.asUser(async kube => {
        if (!(await kube.find(serverBioses, { name: 'b1' })))
          await kube.create(serverBioses, {
            apiVersion: metal,
            kind: 'ServerBIOS',
            metadata: { name: 'b1' },
            spec,
          } as unknown as NewObject<ServerBIOS>)
      })
    },
  }
}

/** For twenty seconds somebody marks the wish: a change that is nobody's business. */
async function labels(user: Kube, clock: Clock): Promise<void> {
  const mark = async (value: string | null): Promise<void> => {
    if (await user.find(serverBioses, { name: 'b1' }))
      await user.patch(serverBioses, { name: 'b1' }, { merge: { metadata: { labels: { mark: value } } } })
  }
  clock.after(seconds(20), () => void insist(clock, () => mark(null)))
  await mark('yes').catch(() => {})
}

export const firmwareSetting: Setting<Lab, ReturnType<typeof firmwareWords>> = {
  crds: kinds.map(crdOf) as readonly KubeObject[],
  devices: world => openLab(world, ['srv-1']),
  program: (ports, lab) => firmwareProgram(ports, lab),
  invariants: firmwareInvariants,
  end: sight => ({
    bioses: sight.objects(serverBioses).map(({ metadata, status }) => ({
      name: metadata.name,
      bios: status?.bios,
      runs: status?.runningJob !== undefined,
      trouble: status?.trouble !== undefined,
      inSync: status?.conditions?.find(({ type }) => type === 'InSync')?.status,
    })),
    servers: sight
      .objects(servers)
      .map(({ spec, status }) => ({ ref: spec.biosRef?.name, updater: spec.updateRef?.job, state: status?.state })),
    machine: {
      power: sight.devices.rack.machine('srv-1').power,
      version: firmwareVersion(sight.devices.rack.machine('srv-1'), 'BIOS'),
    },
  }),
  words: firmwareWords,
  beside: lab => lab.beside,
  close: lab => lab.stop(),
  // An object that is made anew has forgotten what runs for it.
  meddle: labels,
  without: ['recreated'],
  together: true,
}
