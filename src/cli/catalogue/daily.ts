import type { CommandLine } from './command.ts'

const output = ['-o, --output <format>', 'json or yaml instead of text for people'] as const
const namespace = ['-n, --namespace <name>', 'namespace of the claim or the host; default where it is not said'] as const
const kubeconfig = [
  '--kubeconfig <file>',
  "which API to speak to; that of the state folder's instance where it is not said, else what kubectl uses",
] as const
const yes = ['--yes', 'do not ask'] as const

/** What people do with servers every day. All of them speak to the API and to nothing else. */
export const dailyCommands: readonly CommandLine[] = [
  {
    call: 'get [kind] [name]',
    says: 'servers, claims and hosts at a glance, or the objects of one kind',
    options: [output, namespace, kubeconfig],
    load: async () => (await import('../commands/get.ts')).get,
  },
  {
    call: 'describe <what> [name]',
    says: 'everything that is known of a server, a claim or a host, or of an object of any kind, with its conditions and events',
    options: [output, namespace, kubeconfig],
    load: async () => (await import('../commands/describe.ts')).describe,
  },
  {
    call: 'why <name>',
    says: 'what a server, a claim or a host waits for, since when, who must act, and the command that unblocks it',
    options: [output, namespace, kubeconfig],
    load: async () => (await import('../commands/why.ts')).why,
  },
  {
    call: 'timeline <name>',
    says: 'every boot of a server: asked, read back, consumed, served, reported; what happened to a host',
    options: [output, namespace, kubeconfig],
    load: async () => (await import('../commands/timeline.ts')).timeline,
  },
  {
    call: 'boot <name>',
    says: 'what a server boots at its next commanded power-on, and why',
    options: [output, namespace, kubeconfig],
    load: async () => (await import('../commands/boot.ts')).boot,
  },
  {
    call: 'claim <name>',
    says: 'claim a server and install it',
    options: [
      ['--image <reference>', 'the OCI image to install'],
      ['--server <name>', 'this server and no other'],
      ['--selector <labels>', 'only servers with these labels'],
      ['--first-boot <method>', 'how it boots to be installed: Pxe, UefiHttp or VirtualMedia', 'Pxe'],
      ['--ignition <secret>', 'the Secret whose key ignition configures the system'],
      ['--power <state>', 'On or Off', 'On'],
      namespace,
      kubeconfig,
    ],
    load: async () => (await import('../commands/claim.ts')).claim,
  },
  {
    call: 'release <claim>',
    says: 'give a server back: switched off, and free for others to install anew',
    options: [yes, namespace, kubeconfig],
    load: async () => (await import('../commands/release.ts')).release,
  },
  {
    call: 'power <name> <state>',
    says: 'on, off or cycle: what the claim, or the host, shall be',
    options: [namespace, kubeconfig],
    load: async () => (await import('../commands/power.ts')).power,
  },
  {
    call: 'cordon <server>',
    says: 'let no new claim take a server',
    options: [kubeconfig],
    load: async () => (await import('../commands/cordon.ts')).cordon,
  },
  {
    call: 'uncordon <server>',
    says: 'let claims take a server again',
    options: [kubeconfig],
    load: async () => (await import('../commands/cordon.ts')).uncordon,
  },
  {
    call: 'park <name>',
    says: 'switch a server off and leave it alone, whatever its claim says; it stays bound',
    options: [namespace, kubeconfig],
    load: async () => (await import('../commands/park.ts')).park,
  },
  {
    call: 'unpark <name>',
    says: 'take a parked server back to work',
    options: [namespace, kubeconfig],
    load: async () => (await import('../commands/park.ts')).unpark,
  },
  {
    call: 'maintain <server>',
    says: 'take a server out of service for work; --done puts it back',
    options: [
      ['--reason <words>', 'why, for everybody who asks'],
      ['--image <reference>', 'what it boots meanwhile, at every boot'],
      ['--first-boot <method>', 'how it boots that: Pxe or UefiHttp', 'Pxe'],
      ['--enforced', 'without waiting for the owner of the claim to agree'],
      ['--name <name>', 'of the maintenance; that of the server where it is not said'],
      ['--done', 'it is over'],
      namespace,
      kubeconfig,
    ],
    load: async () => (await import('../commands/maintain.ts')).maintain,
  },
  {
    call: 'resume <name>',
    says: 'boot a server that stopped after a power event that nobody commanded',
    options: [namespace, kubeconfig],
    load: async () => (await import('../commands/resume.ts')).resume,
  },
  {
    call: 'reprovision <claim>',
    says: 'install a claimed server anew, with what its claim says now',
    options: [yes, namespace, kubeconfig],
    load: async () => (await import('../commands/reprovision.ts')).reprovision,
  },
  {
    call: 'adopt <name>',
    says: 'say that a server is installed already, so that it boots from disk',
    options: [yes, namespace, kubeconfig],
    load: async () => (await import('../commands/adopt.ts')).adopt,
  },
]
