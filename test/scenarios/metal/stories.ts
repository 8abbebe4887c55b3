import { claims } from '../../../src/controllers/metal/resources.ts'
import { minutes } from '../../../src/core/duration.ts'
import { scenarios } from '../../../src/sim/story.ts'
import { metalSetting, twoMetalProcesses } from './setting.ts'

const scenario = scenarios(metalSetting)
const contest = scenarios(twoMetalProcesses)

export const discovered = scenario('a server is discovered', async ({ when, bmc, is }) => {
  await bmc('srv-1')
  await when.passes(minutes(1))
  await is('srv-1', 'Available', minutes(10))
})

export const claimedOverHttp = scenario(
  'a claim boots over HTTP once, then from disk',
  async ({ when, server, bmc, claims: claim, is, runsFromDisk }) => {
    await server('srv-1')
    await bmc('srv-1')
    await claim()
    await when.passes(minutes(1))
    await runsFromDisk('srv-1', minutes(20))
    await is('srv-1', 'Reserved', minutes(5), ({ status }) => status?.boot?.outcome === 'Installed')
  },
)

export const released = scenario('a claim that goes gives its server back', async ({ when, installed, is, claimKey }) => {
  await installed('srv-1')
  await when.passes(minutes(1))
  await when.removes(claims, claimKey)
  await is('srv-1', 'Available', minutes(15))
})

export const powerCycled = scenario(
  'a claim’s server is switched off and on, and boots its disk',
  async ({ when, installed, is, claimKey }) => {
    await installed('srv-1')
    await when.passes(minutes(1))
    await when.changes(claims, claimKey, { spec: { power: 'Off' } })
    await is('srv-1', 'Reserved', minutes(10), ({ status }) => status?.powerState === 'Off')
    await when.changes(claims, claimKey, { spec: { power: 'On' } })
    await is('srv-1', 'Reserved', minutes(15), ({ status }) => status?.boot?.method === 'Hdd' && status.boot.outcome === 'Started')
  },
)

export const oneBoots = contest(
  'of two processes one boots the server',
  async ({ given, when, server, bmc, claims: claim, runsFromDisk }) => {
    await server('srv-1')
    await bmc('srv-1')
    given.processes('a', 'b')
    await claim()
    await when.passes(minutes(1))
    await runsFromDisk('srv-1', minutes(20))
  },
)

export const metalStories = [discovered, claimedOverHttp, released, powerCycled, oneBoots]
