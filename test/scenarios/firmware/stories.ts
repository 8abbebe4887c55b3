import { serverBioses, serverFirmwares } from '../../../src/controllers/firmware/resources.ts'
import { servers } from '../../../src/controllers/metal/resources.ts'
import { conditionOf } from '../../../src/core/condition.ts'
import { minutes } from '../../../src/core/duration.ts'
import type { Sight } from '../../../src/sim/invariant.ts'
import { scenarios } from '../../../src/sim/story.ts'
import { wanted, wantedPart } from './program.ts'
import { firmwareProcesses, firmwareSetting } from './setting.ts'

const scenario = scenarios(firmwareSetting)
const contest = scenarios(firmwareProcesses)

/** Everything is as wanted, and the server is given back. */
const settled = (sight: Sight): boolean => {
  const all = [...sight.objects(serverBioses), ...sight.objects(serverFirmwares)]
  return (
    all.length > 0 &&
    all.every(
      ({ metadata, status }) => status?.observedGeneration === metadata.generation && conditionOf(status, 'InSync')?.status === 'True',
    ) &&
    sight.objects(servers)[0]?.spec.updateRef === undefined
  )
}
const settings = { QuietBoot: false, BootDelaySeconds: 10 }

export const updatesBios = scenario('a BIOS is brought to another version by a job', async ({ when, then, isFree, wishes }) => {
  await isFree()
  await wishes({ version: wanted })
  await when.passes(minutes(1))
  await then.within(minutes(60)).sees('the BIOS is as wanted, and the server is given back', settled)
})

export const setsBios = scenario('BIOS settings are brought to what is wanted by a job', async ({ when, then, isFree, wishes }) => {
  await isFree()
  await wishes({ settings })
  await when.passes(minutes(1))
  await then.within(minutes(60)).sees('the settings are as wanted, and the server is given back', settled)
})

export const updatesPart = scenario('a component is brought to another firmware by a job', async ({ when, then, isFree, wishesParts }) => {
  await isFree()
  await wishesParts([{ name: 'Network adapter', manufacturer: 'Rackwright', version: wantedPart }])
  await when.passes(minutes(1))
  await then.within(minutes(60)).sees('the component is as wanted, and the server is given back', settled)
})

export const leavesAlone = scenario(
  'firmware of a claimed server is looked at, and not touched',
  async ({ when, then, installed, offers, wishes }) => {
    await installed('srv-1')
    await offers()
    await wishes({ version: wanted })
    await when.passes(minutes(1))
    await then.within(minutes(20)).sees('it stops, and says so', sight => {
      const sync = conditionOf(sight.objects(serverBioses)[0]?.status, 'InSync')
      return sync?.status === 'False' && sync.reason === 'ServerNotAvailable'
    })
  },
)

export const staysRefused = scenario(
  'a wish that was refused stays refused while scans come, fail and work again',
  async ({ when, then, isFree, wishes }) => {
    const now = (sight: Sight) => sight.objects(serverBioses)[0]?.status
    // Whatever fails is told at once.
    await isFree({ backoffLimit: 0 })
    await wishes({ settings: { NoSuchThing: 1 } }, { scanPeriodMinutes: 3 })
    await when.passes(minutes(1))
    await then.within(minutes(20)).sees('it is refused', sight => now(sight)?.trouble !== undefined)
    await when.passes(minutes(8))
    await then.within(minutes(20)).sees('no scan is under way, and none failed last', sight => {
      const { runningJob, scanTrouble, trouble } = now(sight) ?? {}
      return trouble !== undefined && runningJob === undefined && scanTrouble === undefined
    })
    await when.changes(serverBioses, { name: 'b1' }, { spec: { scanPeriodMinutes: 999_999 } })
  },
)

export const oneUpdates = contest('of two processes one lets a job set the BIOS', async ({ given, when, then, isFree, wishes }) => {
  await isFree()
  await wishes({ settings })
  given.processes('a', 'b', 'jobs')
  await when.passes(minutes(1))
  await then.within(minutes(60)).sees('the settings are as wanted, and the server is given back', settled)
})

export const firmwareStories = [updatesBios, setsBios, updatesPart, leavesAlone, staysRefused, oneUpdates]
