import type { CommandLine } from './command.ts'

const kubeconfig = ['--kubeconfig <file>', 'which API to speak to'] as const
const yes = ['--yes', 'do not ask'] as const
const credentials = [
  ['--user <name>', 'user of the BMC; asked for where it is not said'],
  ['--password-file <file>', 'where its password stands; else $RACKWRIGHT_BMC_PASSWORD, else it is asked for'],
] as const

/** What ties real machines to the API. */
export const hardwareCommands: readonly CommandLine[] = [
  {
    call: 'logs <job>',
    says: 'what a Job said that this host ran: rackwright logs job/<name>',
    options: [
      ['-n, --namespace <name>', 'namespace of the Job; rackwright-system where it is not said'],
      ['--kubeconfig <file>', 'which API to speak to'],
    ],
    load: async () => (await import('../commands/logs.ts')).logs,
  },
  {
    call: 'media attach <host> <url>',
    says: 'give a host of Metal3 an ISO image that it finds at its next restart or power-on, and does not boot from',
    options: [
      ['--now', 'at once, also while it runs'],
      ['-n, --namespace <name>', 'namespace of the host; default where it is not said'],
      kubeconfig,
    ],
    load: async () => (await import('../commands/media/attach.ts')).attach,
  },
  {
    call: 'media eject <host>',
    says: 'take that image away again',
    options: [
      ['--now', 'at once, also while it runs'],
      ['-n, --namespace <name>', 'namespace of the host; default where it is not said'],
      kubeconfig,
    ],
    load: async () => (await import('../commands/media/eject.ts')).eject,
  },
  {
    call: 'bmc add <address>',
    says: 'show the certificate of a BMC, ask for credentials, try them, and add it with its server',
    options: [['--name <name>', 'what it is called; made from the address where it is not said'], ...credentials, yes, kubeconfig],
    load: async () => (await import('../commands/bmc/add.ts')).add,
  },
  {
    call: 'bmc trust <name> [fingerprint]',
    says: 'trust a certificate of a BMC: the one with this fingerprint, or the one it shows now',
    options: [yes, kubeconfig],
    load: async () => (await import('../commands/bmc/trust.ts')).trust,
  },
  {
    call: 'bmc password <name>',
    says: 'say which user and password a BMC takes now',
    options: [...credentials, kubeconfig],
    load: async () => (await import('../commands/bmc/password.ts')).password,
  },
  {
    call: 'doctor [bmc]',
    says: 'find out what stands in the way: API, clock, ports, BMCs, the way back from the rack, DHCP',
    options: [kubeconfig],
    load: async () => (await import('../commands/doctor.ts')).doctor,
  },
  {
    call: 'probe',
    says: 'run on a machine itself: tell the boot server what it is made of',
    options: [
      ['--registry <url>', 'where to register; found on the kernel command line where it is not said'],
      ['--uuid <uuid>', "the machine's UUID, where its firmware has none"],
    ],
    load: async () => (await import('../commands/probe.ts')).probe,
  },
]
