import type { BootEvidence } from '../../ports/bmc.ts'
import { known, part, type Resource, text } from '../transport/read.ts'

const inPost = [
  'PrimaryProcessorInitializationStarted',
  'BusInitializationStarted',
  'MemoryInitializationStarted',
  'SecondaryProcessorInitializationStarted',
  'PCIResourceConfigStarted',
]

export function evidenceOf(system: Resource): BootEvidence {
  const progress = part(system, 'BootProgress')
  const state = text(progress, 'LastState')
  return known<BootEvidence>({
    progress: state === 'OEM' ? `OEM/${text(progress, 'OemLastState') ?? ''}` : state,
    progressTime: text(progress, 'LastStateTime'),
    lastResetTime: text(system, 'LastResetTime'),
    lastResetCause: text(system, 'LastResetCause'),
    inPost: state === undefined ? undefined : inPost.includes(state),
  })
}
