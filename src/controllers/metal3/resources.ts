import type { Of } from '../../api/kind.ts'
import { server } from '../../api/metal/server.ts'
import { bareMetalHost } from '../../api/metal3/bare-metal-host.ts'
import { hardwareData as hardwareDataKind } from '../../api/metal3/hardware-data.ts'
import type { KubeObject } from '../../core/object.ts'
import { type ResourceRef, resourceOf } from '../../ports/index.ts'

export type BareMetalHost = Of<typeof bareMetalHost>
export type HardwareData = Of<typeof hardwareDataKind>

export type ServerOfMetal = Of<typeof server>

export const hosts = resourceOf(bareMetalHost)
export const hardwareData = resourceOf(hardwareDataKind)
/** Hosts work where there are no Servers, too. */
export const servers = { ...resourceOf(server), optional: true as const }
export const secrets: ResourceRef<KubeObject & { readonly data?: Readonly<Record<string, string>> }> = {
  group: '',
  version: 'v1',
  plural: 'secrets',
  namespaced: true,
}

/** Metal3's own: whoever takes a host over from it, or gives it back, finds the same. */
export const hostFinalizer = 'baremetalhost.metal3.io'
