import { valves } from '../../../examples/controller/valve.ts'
import { minutes, seconds } from '../../../src/core/duration.ts'
import { scenarios } from '../../../src/sim/story.ts'
import { type Motors, twoValveProcesses, undisturbed, type ValveWords, valveSetting } from './setting.ts'

const scenario = scenarios(valveSetting)
const contest = scenarios(twoValveProcesses)

const wanted = (name: string, position: 'Open' | 'Closed') => ({
  apiVersion: 'example.rackwright.dev/v1',
  kind: 'Valve',
  metadata: { name, namespace: 'default' },
  spec: { address: `motor-${name}`, position },
})
const garden = { name: 'garden', namespace: 'default' }

export const opens = scenario('a valve opens', async ({ when, valve }) => {
  await when.creates(valves, wanted('garden', 'Open'))
  await valve('garden').is('Open', minutes(1))
})

export const closesBeforeItGoes = scenario('a valve that is removed is closed first', async ({ when, valve }) => {
  await when.creates(valves, wanted('garden', 'Open'))
  await valve('garden').is('Open', minutes(1))
  await when.removes(valves, garden)
  await valve('garden').isGoneAndClosed(minutes(1))
})

export const changesItsMind = scenarios<Motors, ValveWords>(undisturbed)(
  'a valve is wanted closed while it opens',
  async ({ when, valve }) => {
    await when.creates(valves, wanted('garden', 'Open'))
    await valve('garden').moves(minutes(1))
    await when.changes(valves, garden, { spec: { position: 'Closed' } })
    await valve('garden').is('Closed', minutes(2))
  },
)

export const turnedByHand = scenario('a valve that somebody turns is turned back', async ({ when, valve, turnByHand }) => {
  await when.creates(valves, wanted('garden', 'Closed'))
  await valve('garden').is('Closed', minutes(1))
  turnByHand('garden')
  await when.passes(seconds(10))
  await valve('garden').is('Closed', minutes(3))
})

export const sideBySide = scenario('two valves do not wait for each other', async ({ when, valve }) => {
  await when.creates(valves, wanted('garden', 'Open'))
  await when.creates(valves, wanted('pond', 'Open'))
  await valve('garden').is('Open', minutes(1))
  await valve('pond').is('Open', seconds(10))
})

export const oneLeads = contest('of two processes one turns the valve', async ({ given, when, valve }) => {
  given.processes('a', 'b')
  await when.creates(valves, wanted('garden', 'Open'))
  await valve('garden').is('Open', minutes(1))
})

export const valveStories = [opens, closesBeforeItGoes, changesItsMind, turnedByHand, sideBySide, oneLeads]
