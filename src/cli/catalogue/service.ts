import { assisted, assistedFlow } from './assisted.ts'
import type { CommandLine } from './command.ts'
import { imageOptions } from './host-images.ts'
import { ramdisk } from './ramdisk.ts'

/** What runs until it is stopped. */
export const serviceCommands: readonly CommandLine[] = [
  {
    call: 'up',
    says: 'start everything on this machine: API, controllers, boot server, simulated rack',
    options: [
      ['--port <number>', 'port of the API; 0 picks a free one', '7443'],
      ['--host <address>', 'address the API listens on; beyond loopback it needs --tls-cert and --tls-key', '127.0.0.1'],
      ['--tls-cert <file>', 'certificate chain to serve with, PEM'],
      ['--tls-key <file>', 'its private key, PEM'],
      ['--accept-loss', 'start although the store lost acknowledged writes'],
      ['--metal3', 'also look after BareMetalHosts of Metal3; with a simulated rack they are looked after anyway'],
      ...ramdisk,
      ['--live-iso <files>', 'live ISOs of CoreOS to make images of hosts from, by architecture: x86_64=<file>,…; with --metal3'],
      ...imageOptions,
      ...assisted,
      ...assistedFlow,
      ['--boot-images', 'also keep boot images of MachineSets up to date, to try it out: its kinds are installed'],
      ['--isolate-jobs', 'run each Job of BIOS and firmware in a process of its own instead of a thread'],
      ['--no-sim', 'no simulated rack: only the servers that you add with rackwright bmc add'],
      ['--servers <number>', 'how many simulated servers', '12'],
      ['--hosts <number>', 'how many simulated hosts of Metal3 beside them', '2'],
      ['--speed <number>', 'how much faster than real ones the simulated machines are', '20'],
      ['--no-demo-claim', 'claim no simulated server by itself'],
      ['--boot-address <ip>', "this machine's address on the rack's network, where machines fetch what they boot", '127.0.0.1'],
      ['--boot-port <number>', 'port of the boot server; 7480, or a free one where --port is 0'],
      ['--boot-cert <file>', 'certificate chain with which the boot server serves HTTPS, PEM; plain HTTP without it; with --no-sim'],
      ['--boot-key <file>', 'its private key, PEM'],
      [
        '--own-registries <hosts>',
        'registries on this machine or at private addresses that images may come from, too, with commas between',
      ],
      [
        '--registry-credentials <secret>',
        'Secret of type kubernetes.io/dockerconfigjson in rackwright-system, for registries that want a login',
      ],
      [
        '--allow-user-data-by-window',
        'give user data to machines that DHCP leads here and whose address is not known (docs/guides/boot-server.md)',
      ],
      [
        '--provisioned-when <level>',
        'what counts as a first boot where a boot policy does not say: PowerOn, ArtifactServed or BootReported; ArtifactServed where it is not said',
      ],
      [
        '--boot-server <whose>',
        'own, or external: another boot operator sets boot configurations Ready and serves them (docs/guides/boot-server.md)',
      ],
      ['--probe-image <reference>', 'what is booted to look at a new server; images.local is the folder images of the state folder'],
    ],
    load: async () => (await import('../commands/up.ts')).up,
  },
  {
    call: 'demo [story]',
    says: 'the whole story in under two minutes: found, claimed, installed, a BMC that lies, an image that does not fit, a pulled power cord; `demo zero-touch`: a host of an InfraEnv becomes a node on disk',
    options: [['--speed <number>', 'how much faster than real ones the simulated machines are', '30']],
    load: async () => (await import('../commands/demo.ts')).demo,
  },
  {
    call: 'sim [verb] [server] [fault]',
    says: 'serve a simulated rack to any Redfish client; `sim faults`, `sim fault` and `sim heal` switch what goes wrong in a running one',
    options: [
      ['--servers <number>', 'how many servers', '12'],
      ['--make <names>', 'which makes, separated by commas; all of them in turn where it is not said'],
      ['--port <number>', 'port of all the BMCs; 0 picks a free one', '8443'],
      ['--password <text>', 'password of all the BMCs', 'rackwright'],
      ['--pxe <url>', 'what DHCP tells machines that boot by PXE: an iPXE script'],
      ['--http-boot <url>', 'what DHCP tells machines that boot over HTTP without a URI of their own'],
      ['--boot-ca <file>', 'authority that machines trust when they boot over HTTPS, PEM'],
      ['--times <number>', 'how often the fault happens; until healed where it is not said'],
      ['--path <text>', 'only for calls whose path contains this'],
      ['--method <verb>', 'only for calls of this method'],
    ],
    load: async () => (await import('../commands/sim.ts')).sim,
  },
]
