import type { KubeObject } from '../../../core/object.ts'
import { spread } from '../../../core/spread.ts'

/** Short enough for every server name, and never that of another set's. */
const nameOf = ({ metadata }: KubeObject, server: string): string =>
  `${metadata.name.slice(0, 60)}-${server.slice(0, 150)}-${spread(`${metadata.uid} ${server}`).toString(36)}`

export const memberName = nameOf

export const maintenanceKey = (namespace: string, set: KubeObject, server: string) => ({
  namespace,
  name: `firmware-${nameOf(set, server)}`.slice(0, 240),
})
