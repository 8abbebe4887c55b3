import { describe, expect, it } from 'vitest'
import { type ServerBIOSSet, serverBiosSets } from '../../src/controllers/firmware/resources.ts'
import { claims, maintenances, servers } from '../../src/controllers/metal/resources.ts'
import { minutes } from '../../src/core/duration.ts'
import { makes } from '../contracts/bmc/makes.ts'
import { type FirmwareWords, firmwareStory } from './story.ts'

const label = async ({ world }: Pick<FirmwareWords, 'world'>, rack: string | null): Promise<void> => {
  await world.kube.patch(servers, { name: 'srv-system-0' }, { merge: { metadata: { labels: { rack } } } })
}

/** A claimed server that runs from its disk, and a set that wants another BIOS for it. */
async function claimedAndWanted({ when, then, offers, world }: FirmwareWords, maintenancePolicy?: string): Promise<void> {
  await when.claims('c1', { image: 'my-osimage:latest', bootPolicy: { firstBoot: 'Pxe', boot: 'Hdd' } })
  await then.runsFrom('srv', 'Hdd', minutes(60))
  await then.isProvisioned('c1', minutes(30))
  await offers('BIOS', 'BIOS', '2.4.1')
  await label({ world }, 'a')
  await world.kube.create(serverBiosSets, {
    apiVersion: 'metal.ironcore.dev/v1alpha1',
    kind: 'ServerBIOSSet',
    metadata: { name: 'all' },
    spec: {
      serverSelector: { matchLabels: { rack: 'a' } },
      template: { spec: { bios: { version: '2.4.1' } } },
      ...(maintenancePolicy === undefined ? {} : { maintenancePolicy }),
    },
  } as unknown as ServerBIOSSet)
}

describe.each(['generic', 'dell'])('T-34 a claimed server of a set, of make %s,', personality => {
  const one = { servers: [{ name: 'srv', personality }] }

  it('is left alone without a policy', () =>
    firmwareStory(async words => {
      await claimedAndWanted(words)
      await words.world.clock.advance(minutes(90))
      expect(words.runs('srv')).toBe(makes[personality]!.bios!.version)
      expect((await words.world.kube.list(maintenances)).items).toEqual([])
    }, one))

  it('I22 is taken out of service, updated while it is off, and runs from its disk again', () =>
    firmwareStory(async words => {
      const { world, runs, then, server, boots } = words
      await claimedAndWanted(words, 'Enforced')
      const before = boots('srv').length
      await world.until(minutes(180), 'the BIOS is the one that is wanted', () => runs('srv') === '2.4.1')
      await world.until(minutes(60), 'the maintenance is over', async () => (await world.kube.list(maintenances)).items.length === 0)
      await then.runsFrom('srv', 'Hdd', minutes(60))
      expect((await server('srv')).status?.state).toBe('Reserved')
      expect((await server('srv')).spec.updateRef).toBeUndefined()
      expect(new Set(boots('srv').slice(before)), 'nothing is installed again').toEqual(new Set(['Hdd']))
    }, one))

  it.each([
    ['its label is taken off', (words: FirmwareWords) => label(words, null)],
    [
      'the set selects others',
      async ({ world }: FirmwareWords) => {
        const serverSelector = { matchLabels: { rack: 'b' } }
        await world.kube.patch(serverBiosSets, { name: 'all' }, { merge: { spec: { serverSelector } } })
      },
    ],
  ])('I22 is given back to its claim when %s in the middle of the update', (_, leaves) =>
    firmwareStory(async words => {
      const { world, then, server } = words
      await claimedAndWanted(words, 'Enforced')
      await world.until(minutes(180), 'a job has it', async () => (await server('srv')).spec.updateRef !== undefined)
      await leaves(words)
      await world.until(minutes(120), 'the maintenance is over', async () => (await world.kube.list(maintenances)).items.length === 0)
      expect((await server('srv')).spec.updateRef).toBeUndefined()
      await then.runsFrom('srv', 'Hdd', minutes(60))
      expect((await server('srv')).status?.state).toBe('Reserved')
    }, one),
  )

  it('I22 waits for its owner where the policy says so', () =>
    firmwareStory(async words => {
      const { world, runs } = words
      await claimedAndWanted(words, 'OwnerApproval')
      await world.clock.advance(minutes(90))
      expect(runs('srv')).toBe(makes[personality]!.bios!.version)
      const approved = { metadata: { labels: { 'metal.ironcore.dev/maintenance-approved': 'true' } } }
      await world.kube.patch(claims, { name: 'c1', namespace: 'default' }, { merge: approved })
      await world.until(minutes(180), 'the BIOS is the one that is wanted', () => runs('srv') === '2.4.1')
    }, one))
})
