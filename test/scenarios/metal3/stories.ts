import { hosts } from '../../../src/controllers/metal3/resources.ts'
import { hours, minutes } from '../../../src/core/duration.ts'
import { scenarios } from '../../../src/sim/story.ts'
import { hostKey, hostSetting } from './setting.ts'

const scenario = scenarios(hostSetting)

export const livesFromDisc = scenario('a host runs from a live disc', async ({ when, host, is, runsFromDisc }) => {
  await host()
  await when.passes(minutes(1))
  await is('provisioned', hours(1))
  await runsFromDisc(minutes(20))
})

export const hostGoes = scenario('a host that runs from a live disc is deleted', async ({ when, host, is, isGone, runsFromDisc }) => {
  await host()
  await when.passes(minutes(1))
  await is('provisioned', hours(1))
  await runsFromDisc(minutes(20))
  await when.removes(hosts, hostKey)
  await isGone(hours(2))
})

export const inspectedAgain = scenario('a host that is available is inspected again', async ({ when, host, is }) => {
  await host({ image: null, online: false })
  await when.passes(minutes(1))
  await is('available', hours(1))
  await when.changes(hosts, hostKey, { metadata: { annotations: { 'inspect.metal3.io': '' } } })
  await is('available', hours(1), ({ metadata }) => metadata.annotations?.['inspect.metal3.io'] === undefined)
})

export const hostStories = [livesFromDisc, hostGoes, inspectedAgain]
