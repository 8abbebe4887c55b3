import { dataImages, hosts } from '../../../src/controllers/metal3/resources.ts'
import { hours, minutes } from '../../../src/core/duration.ts'
import { scenarios } from '../../../src/sim/story.ts'
import { config, discSetting, other } from './disc-setting.ts'
import { hostKey } from './words.ts'

const scenario = scenarios(discSetting)
const on = { spec: { online: true } }

export const findsItsDisc = scenario('a host that waits switched off finds its disc', async ({ when, installed, disc, is, runsWith }) => {
  await installed()
  await disc(config)
  await when.passes(minutes(1))
  await is('externally provisioned', hours(1))
  await when.changes(hosts, hostKey, on)
  await runsWith([config], hours(1))
})

export const findsAnother = scenario(
  'a host finds another disc after its next start',
  async ({ when, installed, disc, is, isOff, runsWith }) => {
    await installed()
    await disc(config)
    await when.passes(minutes(1))
    await is('externally provisioned', hours(1))
    await when.changes(hosts, hostKey, on)
    await runsWith([config], hours(1))
    await when.changes(hosts, hostKey, { spec: { online: false } })
    await isOff(minutes(30))
    await when.changes(dataImages, hostKey, { spec: { url: other } })
    await when.changes(hosts, hostKey, on)
    await runsWith([other], hours(1))
  },
)

export const discIsTakenOut = scenario(
  'a disc is taken out at the next start',
  async ({ when, installed, disc, is, runsWith, discIsGone }) => {
    await installed()
    await disc(config)
    await when.passes(minutes(1))
    await is('externally provisioned', hours(1))
    await when.changes(hosts, hostKey, on)
    await runsWith([config], hours(1))
    await when.removes(dataImages, hostKey)
    await when.changes(hosts, hostKey, { metadata: { annotations: { 'reboot.metal3.io': '' } } })
    await discIsGone(hours(1))
    await runsWith([], hours(1))
  },
)

export const hostGoesWithDisc = scenario(
  'a host is deleted with a disc in its drive',
  async ({ when, installed, disc, is, runsWith, isGone, discIsGone }) => {
    await installed()
    await disc(config)
    await when.passes(minutes(1))
    await is('externally provisioned', hours(1))
    await when.changes(hosts, hostKey, on)
    await runsWith([config], hours(1))
    await when.removes(hosts, hostKey)
    await isGone(hours(2))
    await when.removes(dataImages, hostKey)
    await discIsGone(hours(1))
  },
)

export const atOnce = scenario(
  'a disc is put in and taken out at once while its host runs',
  async ({ when, installed, disc, is, runsWith, discIsGone }) => {
    await installed({ online: true })
    await when.passes(minutes(1))
    await is('externally provisioned', hours(1))
    await runsWith([], hours(1))
    await disc(config, { immediate: true })
    await runsWith([config], hours(1))
    await when.removes(dataImages, hostKey)
    await discIsGone(hours(1))
    await runsWith([], hours(1))
  },
)

export const notWantedMeanwhile = scenario(
  'a disc is not wanted any more while it is being put in',
  async ({ when, installed, disc, is, isBeingPutIn, runsWith, discIsGone }) => {
    await installed()
    await disc(config)
    await when.passes(minutes(1))
    await is('externally provisioned', hours(1))
    await when.changes(hosts, hostKey, on)
    await isBeingPutIn(hours(1))
    await when.removes(dataImages, hostKey)
    // Where it was attached just before that, it waits for the next start.
    await when.changes(hosts, hostKey, { metadata: { annotations: { 'reboot.metal3.io': '' } } })
    await discIsGone(hours(2))
    await runsWith([], hours(1))
  },
)

export const neverSwitchedOff = scenario(
  'a host that may not be switched off finds its disc after a restart, is restarted again, and goes',
  async ({ when, installed, disc, is, runsWith, wasRestarted, discIsGone, isGone }) => {
    const restarts = { metadata: { annotations: { 'reboot.metal3.io': '' } } }
    await installed({ online: true, disablePowerOff: true })
    await when.passes(minutes(1))
    await is('externally provisioned', hours(1))
    await runsWith([], hours(1))
    await disc(config)
    await when.changes(hosts, hostKey, restarts)
    await wasRestarted(hours(1))
    await runsWith([config], hours(1))
    await when.removes(dataImages, hostKey)
    await when.changes(hosts, hostKey, restarts)
    await discIsGone(hours(1))
    await wasRestarted(hours(1))
    await runsWith([], hours(1))
    await when.removes(hosts, hostKey)
    await isGone(hours(2))
  },
)

export const discStories = [findsItsDisc, findsAnother, discIsTakenOut, hostGoesWithDisc, atOnce, notWantedMeanwhile, neverSwitchedOff]
