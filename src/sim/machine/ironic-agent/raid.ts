import { isObject } from '../../../core/json.ts'
import type { Machine } from '../machine.ts'
import type { Step } from './steps.ts'

/** Its volumes are gone, with whatever was on them. */
export const takeAway: Step = async machine => {
  await machine.site.clock.sleep(10_000)
  change(machine, undefined)
  return undefined
}

/** As the real one: the volumes of the node's target, checked first; without a controller for them it says that all is well, and makes none. */
export const makeVolumes: Step = async (machine, _, __, node) => {
  const target = isObject(node['target_raid_config']) ? node['target_raid_config'] : {}
  const disks = Array.isArray(target['logical_disks']) ? target['logical_disks'].filter(isObject) : []
  const bySystem = disks.filter(({ controller }) => controller === 'software')
  if (disks.length === 0 || (bySystem.length === 0 && machine.raidSteps === undefined)) return { result: {} }
  const problem = bySystem.length > 0 ? flaw(disks) : undefined
  if (problem !== undefined) return `Invalid Software RAID configuration: ${problem}`
  if (machine.volumes !== undefined) return 'Partitions detected on devices during RAID config'
  await machine.site.clock.sleep(30_000)
  change(machine, disks)
  return { result: target }
}

function flaw(disks: readonly Readonly<Record<string, unknown>>[]): string | undefined {
  if (disks.length > 2) return 'Software RAID configuration requires one or two logical disks'
  if (disks.some(({ controller }) => controller !== 'software'))
    return "Software RAID configuration requires all logical disks to have 'controller'='software'"
  if (disks[0]?.['raid_level'] !== '1') return 'Software RAID Configuration requires RAID-1 for the first logical disk'
  return disks.length === 2 && disks.every(({ size_gb: size }) => size === 'MAX')
    ? "Software RAID can have only one RAID device with size 'MAX'"
    : undefined
}

function change(machine: Machine, volumes: readonly object[] | undefined): void {
  machine.volumes = volumes
  machine.disk = undefined
  machine.site.tell(machine.name, { what: 'volumes', count: volumes?.length ?? 0 })
}
