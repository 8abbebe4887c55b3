import { hosts } from '../../../src/controllers/metal3/resources.ts'
import { hours, minutes, seconds } from '../../../src/core/duration.ts'
import { scenarios } from '../../../src/sim/story.ts'
import { osImage } from '../../metal3/ramdisk-world.ts'
import { hostSetting, twoHostProcesses } from './setting.ts'
import { hostKey } from './words.ts'

const scenario = scenarios(hostSetting)
const contest = scenarios(twoHostProcesses)

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

export const oneInstalls = contest('of two processes one boots the host', async ({ given, when, host, is, runsFromDisc }) => {
  given.processes('a', 'b')
  await host()
  await when.passes(minutes(1))
  await is('provisioned', hours(1))
  await runsFromDisc(minutes(20))
})

export const installedByAgent = scenario('a host is installed by its agent', async ({ when, host, is, runsFromDisk }) => {
  await host({ image: osImage })
  await when.passes(minutes(1))
  await is('provisioned', hours(2))
  await runsFromDisk(minutes(20))
})

export const rotatedMeanwhile = scenario(
  'a host’s password is rotated while it is installed',
  async ({ when, host, is, rotates, runsFromDisc }) => {
    await host()
    await when.passes(seconds(3))
    await rotates('rotated')
    await is('provisioned', hours(1))
    await runsFromDisc(minutes(20))
  },
)

export const notSure = scenario(
  'a host is left alone while its firmware is written, or another machine answers',
  async ({ when, host, is, flashes, exchanges, isOn, isOff }) => {
    await flashes()
    await host({ image: null })
    await when.passes(minutes(1))
    await is('available', hours(1))
    await isOn(hours(1))
    exchanges(true)
    await when.changes(hosts, hostKey, { spec: { online: false } })
    await when.passes(minutes(2))
    exchanges(false)
    await isOff(hours(1))
  },
)

export const givenBack = scenario('a host that was installed is given back and cleaned', async ({ when, installed, is, isOff }) => {
  await installed()
  await when.passes(minutes(1))
  await is('provisioned', hours(1), ({ status }) => status?.systemUUID !== undefined)
  await when.changes(hosts, hostKey, { spec: { image: null, online: false } })
  await is('available', hours(2))
  await isOff(hours(1))
})

export const goesDetached = scenario(
  'a host that is detached and deleted leaves its machine running',
  async ({ when, installed, is, isGone, isOn }) => {
    await installed()
    await when.passes(minutes(1))
    await is('provisioned', hours(1), ({ status }) => status?.systemUUID !== undefined)
    await when.changes(hosts, hostKey, { metadata: { annotations: { 'baremetalhost.metal3.io/detached': '' } } })
    await is('provisioned', hours(1), ({ status }) => status?.operationalStatus === 'detached')
    await when.removes(hosts, hostKey)
    await isGone(hours(1))
    await isOn(minutes(1))
  },
)

export const hostStories = [
  livesFromDisc,
  hostGoes,
  inspectedAgain,
  oneInstalls,
  installedByAgent,
  rotatedMeanwhile,
  notSure,
  givenBack,
  goesDetached,
]
