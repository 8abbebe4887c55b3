import { hdd } from './hdd.ts'
import type { BootMethod } from './method.ts'
import type { BootPolicy, FirstBoot } from './policy.ts'
import { type Provisioned, provisionedAnnotation } from './provisioned.ts'
import { pxe } from './pxe.ts'
import { uefiHttp } from './uefi-http.ts'
import { virtualMedia } from './virtual-media.ts'

const first: Readonly<Record<FirstBoot, BootMethod>> = { Pxe: pxe, UefiHttp: uefiHttp, VirtualMedia: virtualMedia }

export const firstBootMethod = (policy: BootPolicy): BootMethod => first[policy.firstBoot]

/** Why a server is booted: to be looked at, for whoever claimed it, or for work on it. */
export type Purpose =
  | { readonly is: 'discovery' }
  | { readonly is: 'claim'; readonly policy: BootPolicy; readonly provisioned: Provisioned }
  | { readonly is: 'maintenance'; readonly policy: BootPolicy }

export type NextBoot =
  | { readonly is: 'boot'; readonly method: BootMethod; readonly first: boolean; readonly because: string }
  | { readonly is: 'hold'; readonly because: string }

/** What the next commanded power-on arms, once. A power-on alone never means a network boot. */
export function nextBoot(purpose: Purpose): NextBoot {
  switch (purpose.is) {
    case 'discovery':
      return { is: 'boot', method: pxe, first: true, because: 'discovery always boots by PXE' }
    case 'maintenance': {
      const method = firstBootMethod(purpose.policy)
      return { is: 'boot', method, first: true, because: `a maintenance always boots its own image, by ${method.name}` }
    }
    case 'claim':
      return claimBoot(purpose.policy, purpose.provisioned)
    default:
      return purpose satisfies never
  }
}

function claimBoot(policy: BootPolicy, provisioned: Provisioned): NextBoot {
  const method = firstBootMethod(policy)
  if (typeof provisioned === 'object') {
    return {
      is: 'hold',
      because: `annotation ${provisionedAnnotation} is "${provisioned.unreadable}", neither "true" nor "false": nothing is booted on a guess`,
    }
  }
  if (provisioned === 'no') return { is: 'boot', method, first: true, because: `its first boot is by ${method.name}` }
  if (policy.boot === 'Hdd') return { is: 'boot', method: hdd, first: false, because: 'it is provisioned, so it boots from disk' }
  // A medium would have to stay mounted for ever; admission refuses the pair, and so does whoever reads an older object.
  if (policy.firstBoot === 'VirtualMedia') return { is: 'hold', because: 'boot Network cannot be combined with firstBoot VirtualMedia' }
  return { is: 'boot', method, first: false, because: `it boots from the network every time, by ${method.name}` }
}
