import { type LabelSelector, selectorOf, selects } from '../../core/selector.ts'

export interface MachineManager {
  readonly resource: string
  readonly apiGroup: string
  readonly selection: { readonly mode: string; readonly partial?: { readonly machineResourceSelector: LabelSelector } | undefined }
}

/** Whether a machine resource is opted in. No entry, mode None and labels that do not fit all mean that it keeps the image it has. */
export function isEnrolled(
  managers: readonly MachineManager[] | undefined,
  resource: { readonly resource: string; readonly apiGroup: string; readonly labels: Readonly<Record<string, string>> },
): boolean {
  const entry = managers?.find(manager => manager.resource === resource.resource && manager.apiGroup === resource.apiGroup)
  if (!entry) return false
  const { mode, partial } = entry.selection
  if (mode === 'All') return true
  return mode === 'Partial' && partial !== undefined && selects(selectorOf(partial.machineResourceSelector), resource.labels)
}
