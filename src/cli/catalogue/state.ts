import type { CommandLine } from './command.ts'

/** What is done to the state of an instance as a whole. */
export const stateCommands: readonly CommandLine[] = [
  {
    call: 'kubeconfig',
    says: 'print the path of the admin kubeconfig, or with --raw its content',
    options: [['--raw', 'print the content']],
    load: async () => (await import('../commands/kubeconfig.ts')).kubeconfig,
  },
  {
    call: 'crds [part]',
    says: "print this version's CustomResourceDefinitions as YAML, for kubectl apply -f -; those of metal, or of metal3",
    load: async () => (await import('../commands/crds.ts')).crds,
  },
  {
    call: 'backup [file]',
    says: 'write a consistent copy of the store, of a running server or of a stopped one',
    load: async () => (await import('../commands/backup.ts')).backup,
  },
  {
    call: 'restore <file>',
    says: 'put a backup in place of the store of a stopped server; what it replaces is kept beside it',
    load: async () => (await import('../commands/restore.ts')).restore,
  },
  {
    call: 'reset',
    says: 'list what lies in the state folder, ask, and remove it',
    options: [['--yes', 'do not ask']],
    load: async () => (await import('../commands/reset.ts')).reset,
  },
]
