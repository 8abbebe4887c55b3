import type { CommandLine } from './command.ts'

const namespace = ['-n, --namespace <name>', 'namespace of the machine resource; any where it is not said'] as const
const kubeconfig = ['--kubeconfig <file>', 'which API to speak to'] as const

/** Boot images of machine resources. */
export const imageCommands: readonly CommandLine[] = [
  {
    call: 'image history <name>',
    says: 'the boot images that a MachineSet or MachineDeployment had',
    options: [['-o, --output <format>', 'json or yaml instead of text for people'], namespace, kubeconfig],
    load: async () => (await import('../commands/image/history.ts')).imageHistory,
  },
  {
    call: 'image restore <name> [image]',
    says: 'go back to one of them, by its name or release, and stay there',
    options: [['--release', 'follow the releases again'], ['--yes', 'do not ask'], namespace, kubeconfig],
    load: async () => (await import('../commands/image/restore.ts')).imageRestore,
  },
]
