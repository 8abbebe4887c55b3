import { type ServerBIOSSet, serverBiosSets } from '../../../src/controllers/firmware/resources.ts'
import { claims, maintenances, servers } from '../../../src/controllers/metal/resources.ts'
import { minutes } from '../../../src/core/duration.ts'
import type { NewObject } from '../../../src/ports/index.ts'
import type { Sight } from '../../../src/sim/invariant.ts'
import { firmwareVersion } from '../../../src/sim/machine/machine.ts'
import type { Stage } from '../../../src/sim/stage.ts'
import { type Setting, scenarios } from '../../../src/sim/story.ts'
import type { Lab } from '../metal/lab.ts'
import { backOnDisk } from '../metal/stories.ts'
import { claimedProgram, wanted } from './program.ts'
import { firmwareSetting, firmwareWords } from './setting.ts'

const set = {
  apiVersion: 'metal.ironcore.dev/v1alpha1',
  kind: 'ServerBIOSSet',
  metadata: { name: 'all' },
  spec: {
    serverSelector: { matchLabels: { model: 'x' } },
    maintenancePolicy: 'Enforced',
    template: { spec: { scanPeriodMinutes: 999_999, bios: { version: wanted } } },
  },
} as unknown as NewObject<ServerBIOSSet>

const claimedWords = (stage: Stage<Lab>) => ({
  ...firmwareWords(stage),
  /** Its server is labelled, and all with that label shall have the wanted BIOS. */
  async wishesForAll(): Promise<void> {
    await stage.asUser(kube => kube.patch(servers, { name: 'srv-1-system-0' }, { merge: { metadata: { labels: { model: 'x' } } } }))
    await stage.asUser(async kube => (await kube.find(serverBiosSets, { name: 'all' })) ?? kube.create(serverBiosSets, set))
  },
  isFlashed: () => stage.reach(minutes(60), 'its BMC writes', () => stage.devices.rack.busy('srv-1')),
  /** Somebody takes the maintenance of the set away. */
  withdraws: () =>
    stage.asUser(async kube => {
      for (const { metadata } of (await kube.list(maintenances)).items) await kube.delete(maintenances, metadata)
    }),
})

const { meddle: _, ...setting } = firmwareSetting

const claimedSetting: Setting<Lab, ReturnType<typeof claimedWords>> = {
  ...setting,
  program: claimedProgram,
  words: claimedWords,
  end: sight => {
    const { power, stage, source, armed, bios } = sight.devices.rack.machine('srv-1')
    return {
      sets: sight.objects(serverBiosSets).map(({ status }) => status?.phase),
      claims: sight.objects(claims).map(({ status }) => status?.phase),
      servers: sight.objects(servers).map(({ spec, status }) => [status?.state, spec.updateRef, spec.serverMaintenanceRef]),
      maintenances: sight.objects(maintenances).length,
      machine: [power, stage, source, armed.lasts, bios, firmwareVersion(sight.devices.rack.machine('srv-1'), 'BIOS')],
    }
  },
}

const done = (sight: Sight): boolean => sight.objects(serverBiosSets)[0]?.status?.phase === 'Done'

export const inMaintenance = scenarios(claimedSetting)(
  'a claimed server is flashed in a maintenance that somebody withdraws meanwhile, set up in another, and runs from its disk again',
  async ({ when, then, installed, offers, wishesForAll, isFlashed, withdraws, is }) => {
    await installed('srv-1')
    await offers()
    await when.passes(minutes(1))
    await wishesForAll()
    await isFlashed()
    await withdraws()
    await then.within(minutes(120)).sees('every server has the version', done)
    await is('srv-1', 'Reserved', minutes(30), backOnDisk)
    await when.changes(serverBiosSets, { name: 'all' }, { spec: { template: { spec: { bios: { settings: { QuietBoot: false } } } } } })
    await then.within(minutes(120)).sees('every server has the settings', sight => done(sight) && isSetUp(sight))
    await is('srv-1', 'Reserved', minutes(30), backOnDisk)
  },
)

const isSetUp = (sight: Sight<Lab>): boolean => sight.devices.rack.machine('srv-1').bios?.['QuietBoot'] === false
