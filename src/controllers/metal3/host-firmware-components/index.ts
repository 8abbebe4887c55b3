import { conditionOf } from '../../../core/condition.ts'
import { type ControllerKube, type Reconciler, wokenBy } from '../../../ports/index.ts'
import { type FirmwareReadings, isWorkedOn, often, seldom } from '../firmware-readings.ts'
import { firmwareComponents, type HostFirmwareComponents, hosts } from '../resources.ts'
import { decide } from './decide.ts'
import type { Seen } from './seen.ts'

export interface ComponentsPorts {
  readonly kube: ControllerKube
  readonly readings: FirmwareReadings
}

/** Shows which firmware a host has, and checks what is wanted of it before anybody writes it. */
export const hostFirmwareComponentsController = ({ kube, readings }: ComponentsPorts): Reconciler<HostFirmwareComponents, Seen, never> => ({
  name: 'hostfirmwarecomponents',
  kind: firmwareComponents,
  watches: [wokenBy(hosts, ({ metadata }) => [{ name: metadata.name, namespace: metadata.namespace ?? '' }])],
  async observe({ metadata, spec, status }, look) {
    const host = kube.cached.get(hosts, { name: metadata.name, namespace: metadata.namespace ?? '' })
    const differs = conditionOf(status, 'ChangeDetected')?.status === 'True'
    return {
      wanted: spec?.updates ?? [],
      deleting: metadata.deletionTimestamp !== undefined,
      status,
      host: host && { isWorkedOn: isWorkedOn(host), written: host.status?.firmwareUpdates ?? [] },
      sight: host && (await readings.of(host, differs && isWorkedOn(host) ? often : seldom, look.signal)),
    }
  },
  decide,
  perform: {},
})
