import { serverBioses } from '../../../src/controllers/firmware/resources.ts'
import { servers } from '../../../src/controllers/metal/resources.ts'
import { minutes } from '../../../src/core/duration.ts'
import { scenarios } from '../../../src/sim/story.ts'
import { firmwareSetting } from './setting.ts'

const scenario = scenarios(firmwareSetting)

export const updatesBios = scenario('a BIOS is brought to another version by a job', async ({ when, then, wishes }) => {
  await wishes()
  await when.passes(minutes(1))
  await then.within(minutes(60)).sees('the BIOS is as wanted, and the server is given back', sight => {
    const told = sight.objects(serverBioses)[0]?.status?.conditions?.find(({ type }) => type === 'InSync')
    return told?.status === 'True' && sight.objects(servers)[0]?.spec.updateRef === undefined
  })
})

export const firmwareStories = [updatesBios]
