import { conditionOf } from '../../../core/condition.ts'
import type { ControllerKube, Look } from '../../../ports/index.ts'
import type { FirmwareSight } from '../../../ports/provisioner.ts'
import { type FirmwareReadings, isWorkedOn, often, seldom } from '../firmware-readings.ts'
import { firmwareComponents, firmwareSchemas, type HostFirmwareSettings, hosts } from '../resources.ts'
import { schemaName, schemaOf } from './schema.ts'
import type { Seen, SeenSchema } from './seen.ts'

export interface SettingsPorts {
  readonly kube: ControllerKube
  readonly readings: FirmwareReadings
}

export async function observe({ kube, readings }: SettingsPorts, object: HostFirmwareSettings, look: Look): Promise<Seen> {
  const { name, namespace = '' } = object.metadata
  const host = kube.cached.get(hosts, { name, namespace })
  const differs = conditionOf(object.status, 'ChangeDetected')?.status === 'True'
  const sight = host && (await readings.of(host, differs && isWorkedOn(host) ? often : seldom, look.signal))
  return {
    wanted: object.spec?.settings ?? {},
    deleting: object.metadata.deletionTimestamp !== undefined,
    status: object.status,
    host: host && { isWorkedOn: isWorkedOn(host) },
    sight,
    schema: schemaSeen(kube, object, sight),
    hasComponents: kube.cached.get(firmwareComponents, { name, namespace }) !== undefined,
  }
}

function schemaSeen(kube: ControllerKube, { metadata }: HostFirmwareSettings, sight: FirmwareSight | undefined): SeenSchema | undefined {
  if (sight?.is !== 'there' || !sight.registry || sight.registry.length === 0) return undefined
  const spec = schemaOf(sight.vendor, sight.model, sight.registry)
  const key = { name: schemaName(spec), namespace: metadata.namespace ?? '' }
  const found = kube.cached.get(firmwareSchemas, key)
  return { ...key, spec, kept: found !== undefined && (found.metadata.ownerReferences ?? []).some(({ uid }) => uid === metadata.uid) }
}
