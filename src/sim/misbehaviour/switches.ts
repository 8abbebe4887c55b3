import type { FaultName } from './catalogue.ts'

/** One way of misbehaving that was switched on for a BMC. */
export interface Switch {
  readonly fault: FaultName
  /** How often it still happens; for ever where it is not said. */
  left?: number
  /** Only for calls of this method, or whose path contains this text. */
  readonly method?: string
  readonly path?: string
  /** What the fault needs to know: milliseconds of a hold, for instance. */
  readonly value?: number
  /** When it was switched on: flapping is counted from there. */
  readonly since: number
}

export interface Misbehaving {
  faults: Switch[] | undefined
}

export interface CallLike {
  readonly method: string
  readonly path: string
}

export function switchOn(who: Misbehaving, on: Switch): void {
  who.faults ??= []
  who.faults.push({ ...on })
}

/** Without a name everything is switched off. */
export function switchOff(who: Misbehaving, fault?: FaultName): void {
  const kept = fault === undefined ? [] : (who.faults ?? []).filter(one => one.fault !== fault)
  who.faults = kept.length === 0 ? undefined : kept
}

/** Looks without using it up. */
export const isOn = (who: Misbehaving, fault: FaultName, call?: CallLike): Switch | undefined =>
  who.faults?.find(one => one.fault === fault && fits(one, call))

/** True at the moment when the fault happens; a switch with a number of times is used up by it. */
export function takes(who: Misbehaving, fault: FaultName, call?: CallLike): Switch | undefined {
  const found = isOn(who, fault, call)
  if (found?.left !== undefined && --found.left <= 0) {
    const kept = who.faults!.filter(one => one !== found)
    who.faults = kept.length === 0 ? undefined : kept
  }
  return found
}

const fits = (one: Switch, call: CallLike | undefined): boolean =>
  (one.method === undefined || one.method === call?.method) && (one.path === undefined || (call?.path.includes(one.path) ?? false))
