import type { CommandLine } from './command.ts'

const kubeconfig = ['--kubeconfig <file>', 'which API to speak to'] as const
const output = ['-o, --output <format>', 'json or yaml'] as const

/** BIOS versions, BIOS settings and the firmware of components. */
export const firmwareCommands: readonly CommandLine[] = [
  {
    call: 'firmware status [server]',
    says: 'what runs on servers, what is wanted, and whether that is the same',
    options: [output, kubeconfig],
    load: async () => (await import('../commands/firmware/status.ts')).firmwareStatus,
  },
  {
    call: 'firmware plan [server]',
    says: 'what would be done, how often machines would restart, and why it is not being done yet',
    options: [output, kubeconfig],
    load: async () => (await import('../commands/firmware/plan.ts')).firmwarePlan,
  },
  {
    call: 'firmware scan <server>',
    says: 'ask a server now what it runs',
    options: [kubeconfig],
    load: async () => (await import('../commands/firmware/scan.ts')).firmwareScan,
  },
  {
    call: 'firmware resume <set>',
    says: 'go on with a rollout that stopped because servers failed',
    options: [kubeconfig],
    load: async () => (await import('../commands/firmware/resume.ts')).firmwareResume,
  },
]
