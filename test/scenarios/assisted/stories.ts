import { hosts } from '../../../src/controllers/metal3/resources.ts'
import { conditionOf } from '../../../src/core/condition.ts'
import { hours, minutes } from '../../../src/core/duration.ts'
import { scenarios } from '../../../src/sim/story.ts'
import { hostKey } from '../metal3/words.ts'
import { assistedSetting, twoAssistedProcesses } from './setting.ts'

const scenario = scenarios(assistedSetting)
const contest = scenarios(twoAssistedProcesses)

export const installedByAssisted = scenario(
  'a host of an InfraEnv is installed by the assisted agent',
  async ({ when, linked, is, runsFromDisk }) => {
    await linked()
    await when.passes(minutes(1))
    await is('provisioned', hours(2))
    await runsFromDisk(minutes(20))
  },
)

export const linkedGoes = scenario('a host of an InfraEnv is deleted while its agent is started', async ({ when, linked, is, isGone }) => {
  await linked()
  await when.passes(minutes(1))
  await is('provisioning', hours(2), ({ status }) => status?.engine?.stage === 'agent')
  await when.removes(hosts, hostKey)
  await isGone(hours(2))
})

export const givenBackByAgent = scenario(
  'a host of an InfraEnv whose Agent leaves its cluster is cleaned, and installed for another',
  async ({ when, linked, is, runsFromDisk, unbinds, joins }) => {
    await linked({ inspectionMode: 'agent', automatedCleaningMode: 'metadata' })
    await when.passes(minutes(1))
    await is('provisioned', hours(2))
    await runsFromDisk(minutes(20))
    await unbinds()
    await is('provisioning', hours(2), ({ status }) => conditionOf(status, 'Assisted')?.reason === 'WaitingForPerson')
    await joins()
    await is('provisioned', hours(1))
    await runsFromDisk(minutes(20))
  },
)

/** Too long to be played with faults: nothing happens in it. */
export const waitsForPerson = scenario(
  'a host of an InfraEnv waits two days for a person',
  async ({ when, then, linked, is, runsFromDisk, joins }) => {
    await linked({ customDeploy: { method: 'start_assisted_install' }, inspectionMode: 'agent' }, {})
    await when.passes(minutes(1))
    await is('provisioning', hours(2), ({ status }) => conditionOf(status, 'Assisted')?.reason === 'WaitingForPerson')
    const before = new Set<number>()
    await then.within(minutes(1)).sees('it is looked at', ({ devices }) => before.add(devices.happened.length) !== undefined)
    await when.passes(hours(48))
    await then.within(minutes(1)).sees('it still waits, and nobody has touched it', ({ devices, objects }) => {
      const [host] = objects(hosts)
      return before.has(devices.happened.length) && conditionOf(host?.status, 'Assisted')?.reason === 'WaitingForPerson'
    })
    await joins()
    await is('provisioned', hours(1))
    await runsFromDisk(minutes(20))
  },
)

export const oneAsks = contest(
  'of two processes one has a host of an InfraEnv installed',
  async ({ given, when, linked, is, runsFromDisk }) => {
    given.processes('a', 'b')
    await linked()
    await when.passes(minutes(1))
    await is('provisioned', hours(2))
    await runsFromDisk(minutes(20))
  },
)

export const assistedStories = [installedByAssisted, oneAsks, linkedGoes, givenBackByAgent]
