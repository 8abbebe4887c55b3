import { sameJson } from '../../../core/json.ts'
import type { KubeObject } from '../../../core/object.ts'
import { componentsFor } from '../../../policy/firmware/component-match.ts'
import { compareVersions } from '../../../policy/firmware/version-order.ts'
import type { ResourceRef } from '../../../ports/index.ts'
import { bios } from '../bios/subject.ts'
import { components } from '../components/subject.ts'
import {
  type ServerBIOS,
  type ServerBIOSSet,
  type ServerFirmware,
  type ServerFirmwareSet,
  serverBiosSets,
  serverFirmwareSets,
} from '../resources.ts'
import type { Subject, Target } from '../target/subject.ts'

export type FirmwareSet = ServerBIOSSet | ServerFirmwareSet

/** What tells the two sets apart. */
export interface FleetSubject<S extends FirmwareSet & KubeObject, T extends Target & KubeObject> {
  readonly controller: string
  readonly resource: ResourceRef<S>
  readonly member: Subject<T>
  /** What a member's spec says besides its server: everything, or only that it is scanned. */
  wish(set: S, told: boolean): object
  isTold(set: S, member: T): boolean
  /** The member as it would be if it were told. */
  told(set: S, member: T): T
  /** A version that the server would be taken back from; undefined where none would. */
  downgrade(set: S, member: T): string | undefined
}

export const biosFleet: FleetSubject<ServerBIOSSet, ServerBIOS> = {
  controller: 'server-bios-set',
  resource: serverBiosSets,
  member: bios,
  wish: ({ spec }, told) => ({
    scanPeriodMinutes: spec.template.spec.scanPeriodMinutes,
    bios: told ? spec.template.spec.bios : { settings: {} },
  }),
  isTold: ({ spec }, member) => sameJson(member.spec.bios, spec.template.spec.bios),
  told: ({ spec }, member) => ({ ...member, spec: { ...member.spec, bios: spec.template.spec.bios } }),
  downgrade({ spec }, { status }) {
    const { version } = spec.template.spec.bios
    const found = status?.bios?.version
    return version !== undefined && found !== undefined && compareVersions(version, found) === 'older'
      ? `${found} to ${version}`
      : undefined
  },
}

export const firmwareFleet: FleetSubject<ServerFirmwareSet, ServerFirmware> = {
  controller: 'server-firmware-set',
  resource: serverFirmwareSets,
  member: components,
  wish: ({ spec }, told) => ({
    scanPeriodMinutes: spec.template.spec.scanPeriodMinutes,
    firmwares: told ? spec.template.spec.firmwares : [],
  }),
  isTold: ({ spec }, member) => sameJson(member.spec.firmwares, spec.template.spec.firmwares),
  told: ({ spec }, member) => ({ ...member, spec: { ...member.spec, firmwares: spec.template.spec.firmwares } }),
  downgrade({ spec }, { status }) {
    for (const wish of spec.template.spec.firmwares) {
      const newer = componentsFor(wish, status?.firmwares ?? []).find(({ version }) => compareVersions(wish.version, version) === 'older')
      if (newer) return `${wish.name} ${newer.version} to ${wish.version}`
    }
    return undefined
  },
}
