import { hosts } from '../../../src/controllers/metal3/resources.ts'
import { hours, minutes } from '../../../src/core/duration.ts'
import type { Invariant } from '../../../src/sim/invariant.ts'
import { scenarios } from '../../../src/sim/story.ts'
import type { HostLab } from './lab.ts'
import { hostSetting } from './setting.ts'

const mirror = { softwareRAIDVolumes: [{ level: '1' }] }

const notedWhenMade: Invariant<HostLab> = {
  name: 'I25 volumes are noted only when they are there',
  begin: sight => () => {
    const noted = sight.objects(hosts)[0]?.status?.provisioning?.raid?.softwareRAIDVolumes?.length ?? 0
    const there = sight.devices.rack.machine('srv-1').volumes?.length ?? 0
    return noted > 0 && noted !== there ? `${noted} volumes are noted, and ${there} are there` : undefined
  },
}

const leftInPeace: Invariant<HostLab> = {
  name: 'I9 a machine is not switched while its agent works on its volumes',
  begin: sight => entry => {
    if (entry?.what !== 'asks' || entry.call !== 'bmc.set') return undefined
    const { agent, epoch } = sight.devices.rack.machine('srv-1')
    const works = agent?.epoch === epoch && agent.commands.at(-1)?.command_status === 'RUNNING'
    return works ? `${entry.by} switches it` : undefined
  },
}

const freeWhenAvailable: Invariant<HostLab> = {
  name: 'I12 I15 a host whose volumes are wanted is available only when they are there, it is off, and its drives are empty',
  begin(sight) {
    let from = ''
    return () => {
      const [host] = sight.objects(hosts)
      const to = host?.status?.provisioning?.state ?? ''
      const isDone = from === 'preparing' && to === 'available'
      from = to
      const { power, media, volumes } = sight.devices.rack.machine('srv-1')
      return isDone && (volumes === undefined || power !== 'Off' || media !== undefined)
        ? `it is available with ${volumes?.length ?? 0} volumes, ${power}, ${media ? 'a disc in' : 'no disc'}`
        : undefined
    }
  },
}

export const raidSetting: typeof hostSetting = {
  ...hostSetting,
  invariants: [...hostSetting.invariants, notedWhenMade, leftInPeace, freeWhenAvailable],
  end: sight => ({ ...(hostSetting.end(sight) as object), volumes: sight.devices.rack.machine('srv-1').volumes }),
}

export const makesVolumes = scenarios(raidSetting)('a host’s RAID volumes are made before it is available', async ({ when, host, is }) => {
  await host({ image: null, online: false, raid: mirror })
  await when.passes(minutes(1))
  await is('available', hours(2), ({ status }) => status?.provisioning?.raid !== undefined)
})
