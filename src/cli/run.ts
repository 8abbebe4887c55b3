import { Command, CommanderError } from 'commander'
import { Fault } from '../core/fault.ts'
import { complain } from './complain.ts'

type Action = (options: Record<string, unknown>, ...args: readonly string[]) => Promise<number>
type Load = () => Promise<Action>

/** Parses the command line and runs one command. What a command does not need is not loaded. */
export async function run(args: readonly string[]): Promise<number> {
  let code = 0
  const program = new Command('rackwright')
    .description('Runs bare metal the way Kubernetes runs pods.')
    .option('--home <folder>', 'where state lives (default: $RACKWRIGHT_HOME, else .rackwright in the current folder)')
    .showHelpAfterError('(rackwright --help lists the commands)')
    .exitOverride()
  const add = (signature: string, description: string, load: Load): Command =>
    program
      .command(signature)
      .description(description)
      .action(async (...given: unknown[]) => {
        const command = given.at(-1) as Command
        const action = await load()
        code = await action(command.optsWithGlobals(), ...(command.processedArgs as string[]))
      })

  add('up', 'start everything on this machine: API, controllers, simulated rack', async () => (await import('./commands/up.ts')).up)
    .option('--port <number>', 'port of the API; 0 picks a free one', '7443')
    .option('--host <address>', 'address the API listens on; beyond loopback it needs --tls-cert and --tls-key', '127.0.0.1')
    .option('--tls-cert <file>', 'certificate chain to serve with, PEM')
    .option('--tls-key <file>', 'its private key, PEM')
    .option('--accept-loss', 'start although the store lost acknowledged writes')
  add(
    'sim [verb] [server] [fault]',
    'serve a simulated rack to any Redfish client; `sim faults`, `sim fault` and `sim heal` switch what goes wrong in a running one',
    async () => (await import('./commands/sim.ts')).sim,
  )
    .option('--servers <number>', 'how many servers', '12')
    .option('--make <names>', 'which makes, separated by commas; all of them in turn where it is not said')
    .option('--port <number>', 'port of all the BMCs; 0 picks a free one', '8443')
    .option('--password <text>', 'password of all the BMCs', 'rackwright')
    .option('--pxe <url>', 'what DHCP tells machines that boot by PXE: an iPXE script')
    .option('--http-boot <url>', 'what DHCP tells machines that boot over HTTP without a URI of their own')
    .option('--boot-ca <file>', 'authority that machines trust when they boot over HTTPS, PEM')
    .option('--times <number>', 'how often the fault happens; until healed where it is not said')
    .option('--path <text>', 'only for calls whose path contains this')
    .option('--method <verb>', 'only for calls of this method')
  add(
    'kubeconfig',
    'print the path of the admin kubeconfig, or with --raw its content',
    async () => (await import('./commands/kubeconfig.ts')).kubeconfig,
  ).option('--raw', 'print the content')
  add(
    'crds',
    "print this version's CustomResourceDefinitions as YAML, for kubectl apply -f -",
    async () => (await import('./commands/crds.ts')).crds,
  )
  add(
    'backup [file]',
    'write a consistent copy of the store, of a running server or of a stopped one',
    async () => (await import('./commands/backup.ts')).backup,
  )
  add(
    'restore <file>',
    'put a backup in place of the store of a stopped server; what it replaces is kept beside it',
    async () => (await import('./commands/restore.ts')).restore,
  )
  add('reset', 'list what lies in the state folder, ask, and remove it', async () => (await import('./commands/reset.ts')).reset).option(
    '--yes',
    'do not ask',
  )

  try {
    await program.parseAsync([...args], { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode
    complain(error instanceof Error ? error : new Fault('cli/unknown', String(error)))
    return 1
  }
}
