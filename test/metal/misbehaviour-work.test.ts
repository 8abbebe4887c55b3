import { describe, expect, it } from 'vitest'
import { maintenances } from '../../src/controllers/metal/resources.ts'
import { minutes } from '../../src/core/duration.ts'
import type { FaultName } from '../../src/sim/misbehaviour/catalogue.ts'
import { makesUnlessSaid } from '../makes.ts'
import { bearings } from './bearing.ts'
import { story, type Words } from './story.ts'

const makes = makesUnlessSaid('generic')
const long = minutes(240)
const key = { name: 'work', namespace: 'default' }
const installations = ({ happened }: Words): number => happened('srv-1').filter(({ what }) => what === 'installed').length
const drives = ({ world }: Words): number => Object.values(world.rack.machine('srv-1').media ?? {}).filter(({ leaving }) => !leaving).length
const byPxe = { image: 'my-osimage:latest', bootPolicy: { firstBoot: 'Pxe', boot: 'Hdd' } }

/** Somebody works on it with an image of his own, is done, and its claim has it again. */
async function worked(words: Words): Promise<void> {
  const { world, then } = words
  await world.kube.create(maintenances, {
    apiVersion: 'metal.ironcore.dev/v1alpha1',
    kind: 'ServerMaintenance',
    metadata: key,
    spec: {
      serverRef: { name: 'srv-1-system-0' },
      policy: 'Enforced',
      priority: 0,
      serverPower: 'On',
      serverBootConfigurationTemplate: { spec: { image: 'live:1', bootPolicy: { firstBoot: 'Pxe', boot: 'Hdd' } } },
    },
  } as never)
  await then.runsFrom('srv-1', 'Pxe', long)
  await world.kube.delete(maintenances, key)
  await world.until(long, 'the maintenance is gone', async () => (await world.kube.find(maintenances, key)) === undefined)
  await then.server('srv-1', long, { state: 'Reserved', boot: { method: 'Hdd', outcome: 'Started' } as never })
  await then.runsFrom('srv-1', 'Hdd', minutes(20))
}

/** What a BMC that lies for ever about its drives comes to: nothing is put in, and nothing is booted. */
const noDisc: readonly FaultName[] = ['inserted-lies']

const lively = (Object.entries(bearings) as [FaultName, (typeof bearings)[FaultName]][]).flatMap(([fault, bearing]) =>
  'lives' in bearing ? [[fault, bearing.lives] as const] : [],
)

describe.each(makes)('a BMC of %s that misbehaves', make => {
  const options = { servers: [{ name: 'srv-1', personality: make }] }
  it.each(lively)('I22 I32 %s: a maintenance boots its own image, and the claim’s disk boots afterwards', (fault, lives) =>
    story(async words => {
      const { when, then, world } = words
      await when.claims('c1', byPxe)
      await then.server('srv-1', long, { boot: { step: 'Ended', outcome: 'Installed' } as never })
      world.rack.fault('srv-1', fault, lives)
      await worked(words)
      expect(installations(words)).toBe(1)
      expect(world.rack.machine('srv-1').armed.lasts).toBe('Disabled')
    }, options),
  )
  it.each(lively.filter(([fault]) => !noDisc.includes(fault)))(
    'I7 I15 %s: a claim boots from a disc once, and it is taken out',
    (fault, lives) =>
      story(async words => {
        const { when, then, world, boots } = words
        world.rack.fault('srv-1', fault, lives)
        await when.claims('c1', { bootPolicy: { firstBoot: 'VirtualMedia', boot: 'Hdd' } })
        await then.server(
          'srv-1',
          long,
          ({ status }) => status?.boot?.outcome === 'Installed' && status.boot.slot === undefined,
          'it is installed, and its disc is out',
        )
        expect(boots('srv-1').filter(from => from === 'Cd')).toHaveLength(1)
        expect(installations(words)).toBe(1)
        expect(drives(words)).toBe(0)
      }, options),
  )
  it.each(noDisc)('I7 %s: nothing is booted from a drive that shows the opposite of what is in it', fault =>
    story(async words => {
      const { when, world, boots, condition } = words
      world.rack.fault('srv-1', fault)
      await when.claims('c1', { bootPolicy: { firstBoot: 'VirtualMedia', boot: 'Hdd' } })
      await when.passes(minutes(120))
      expect(boots('srv-1')).toEqual(['Pxe'])
      expect(await condition('srv-1', 'BootOverrideHonoured')).toMatchObject({ status: 'False', reason: 'NoVirtualDrive' })
    }, options),
  )
})
