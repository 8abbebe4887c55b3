import { claims, maintenances, type Server } from '../../../src/controllers/metal/resources.ts'
import { minutes } from '../../../src/core/duration.ts'
import { scenarios } from '../../../src/sim/story.ts'
import { metalSetting, twoMachines, twoMetalProcesses } from './setting.ts'

const scenario = scenarios(metalSetting)
const pair = scenarios(twoMachines)
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

export const claimedByPxe = scenario(
  'a claim boots by PXE once, then from disk',
  async ({ when, server, bmc, claims: claim, is, runsFromDisk }) => {
    await server('srv-1')
    await bmc('srv-1')
    await claim({ image: 'pxe:1', bootPolicy: { firstBoot: 'Pxe', boot: 'Hdd' } })
    await when.passes(minutes(1))
    await runsFromDisk('srv-1', minutes(20))
    await is('srv-1', 'Reserved', minutes(5), ({ status }) => status?.boot?.outcome === 'Installed')
  },
)

/** Whether it says of a condition that it is so. */
const says =
  (type: string, status: string) =>
  ({ status: of }: Server): boolean =>
    of?.conditions?.some(one => one.type === type && one.status === status) ?? false

export const cycledByHand = scenario(
  'somebody cycles a server by hand, it stops in the shell, and somebody resumes it',
  async ({ when, installed, byHand, resumes, is, runsFromDisk }) => {
    await installed('srv-1')
    await when.passes(minutes(2))
    byHand('srv-1', 'PowerCycle')
    await is('srv-1', 'Reserved', minutes(15), says('UnexpectedPowerTransition', 'True'))
    await resumes('srv-1')
    await is('srv-1', 'Reserved', minutes(20), ({ status }) => status?.boot?.method === 'Hdd' && status.boot.outcome === 'Started')
    await runsFromDisk('srv-1', minutes(5))
  },
)

export const quietInstaller = scenario(
  'an installer that reports nothing restarts, and its server is brought to its disk once',
  async ({ when, server, bmc, claims: claim, is, runsFromDisk }) => {
    await server('srv-1')
    await bmc('srv-1')
    await claim({ image: 'quiet:1' })
    await when.passes(minutes(1))
    await runsFromDisk('srv-1', minutes(40))
    await is('srv-1', 'Reserved', minutes(10), ({ status }) => status?.boot?.outcome === 'Installed')
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

export const backOnDisk = ({ spec, status }: Server): boolean =>
  spec.serverMaintenanceRef === undefined && status?.boot?.method === 'Hdd' && status.boot.outcome === 'Started'

export const maintained = scenario(
  'a maintenance boots its own image, and the claim’s disk afterwards',
  async ({ when, installed, maintains, runsLive, flashes, is, isQuiet, claimKey, workKey }) => {
    await installed('srv-1')
    await when.passes(minutes(1))
    await maintains('srv-1', 'OwnerApproval')
    await when.passes(minutes(1))
    await when.changes(claims, claimKey, { metadata: { labels: { 'metal.ironcore.dev/maintenance-approved': 'true' } } })
    await runsLive('srv-1', minutes(15))
    await flashes('srv-1')
    await when.removes(maintenances, workKey)
    await is('srv-1', 'Reserved', minutes(15), backOnDisk)
    await isQuiet('srv-1', minutes(1))
  },
)

export const maintenanceGoes = scenario(
  'a maintenance is deleted in the middle of its boot',
  async ({ when, installed, maintains, is, isQuiet, workKey }) => {
    await installed('srv-1')
    await when.passes(minutes(1))
    await maintains('srv-1', 'Enforced')
    await is(
      'srv-1',
      'Maintenance',
      minutes(15),
      ({ status }) => status?.boot?.purpose === 'Maintenance' && ['Starting', 'Running'].includes(status.boot.step),
    )
    await when.removes(maintenances, workKey)
    await is('srv-1', 'Reserved', minutes(15), backOnDisk)
    await isQuiet('srv-1', minutes(1))
  },
)

export const inTurn = scenario(
  'of two maintenances one has the server, and then the other',
  async ({ when, installed, maintains, runsLive, is, isQuiet, workKey }) => {
    await installed('srv-1')
    await when.passes(minutes(1))
    await maintains('srv-1', 'Enforced')
    await runsLive('srv-1', minutes(15))
    await maintains('srv-1', 'Enforced', 'more')
    await when.removes(maintenances, workKey)
    await is('srv-1', 'Maintenance', minutes(15), ({ spec }) => spec.serverMaintenanceRef?.name === 'more')
    await runsLive('srv-1', minutes(15))
    await when.removes(maintenances, { ...workKey, name: 'more' })
    await is('srv-1', 'Reserved', minutes(15), backOnDisk)
    await isQuiet('srv-1', minutes(1))
  },
)

const byDisc = { bootPolicy: { firstBoot: 'VirtualMedia', boot: 'Hdd' } }
const discOut = ({ status }: Server): boolean => status?.boot?.outcome === 'Installed' && status.boot.slot === undefined

export const fromDisc = scenario('a claim boots from a disc once', async ({ when, server, bmc, claims: claim, is, isQuiet }) => {
  await server('srv-1')
  await bmc('srv-1')
  await claim(byDisc)
  await when.passes(minutes(1))
  await is('srv-1', 'Reserved', minutes(25), discOut)
  await isQuiet('srv-1', minutes(1))
})

export const discGoes = scenario(
  'a claim goes while its system runs from a disc and does not shut down',
  async ({ when, server, bmc, claims: claim, is, isQuiet, runsDisc, goesDeaf, claimKey }) => {
    await server('srv-1')
    await bmc('srv-1')
    await claim({ ...byDisc, image: 'live:1' })
    await when.passes(minutes(1))
    await runsDisc('srv-1', minutes(15))
    goesDeaf('srv-1')
    await when.removes(claims, claimKey)
    await is('srv-1', 'Available', minutes(15), ({ status }) => status?.boot?.slot === undefined)
    await isQuiet('srv-1', minutes(1))
  },
)

export const leftAlone = scenario(
  'a server is left alone while it is ignored, nobody knows whether it is on, or another machine answers',
  async ({ when, installed, ignores, blurs, exchanges, rotates, is, claimKey }) => {
    await installed('srv-1')
    await when.passes(minutes(1))
    await ignores('srv-1', true)
    await when.changes(claims, claimKey, { spec: { power: 'Off' } })
    await when.passes(minutes(1))
    blurs('srv-1', true)
    await ignores('srv-1', false)
    await when.passes(minutes(1))
    exchanges('srv-1', true)
    blurs('srv-1', false)
    await when.passes(minutes(2))
    exchanges('srv-1', false)
    rotates('srv-1')
    await is('srv-1', 'Reserved', minutes(30), ({ status }) => status?.powerState === 'Off')
  },
)

export const twins = pair(
  'two machines that say they are the same are both left alone',
  async ({ when, server, bmc, mimics, starts, is }) => {
    mimics('srv-2', true)
    for (const machine of ['srv-1', 'srv-2']) {
      await server(machine)
      await bmc(machine)
    }
    await when.passes(minutes(3))
    for (const machine of ['srv-1', 'srv-2']) starts(machine)
    await when.passes(minutes(1))
    mimics('srv-2', false)
    // What runs there was started by somebody else, and is not switched off to be discovered.
    for (const machine of ['srv-1', 'srv-2']) await is(machine, 'Initial', minutes(30), ({ status }) => status?.powerState === 'On')
  },
)

export const metalStories = [
  discovered,
  claimedOverHttp,
  claimedByPxe,
  quietInstaller,
  released,
  powerCycled,
  cycledByHand,
  oneBoots,
  maintained,
  maintenanceGoes,
  inTurn,
  fromDisc,
  discGoes,
  leftAlone,
  twins,
]
