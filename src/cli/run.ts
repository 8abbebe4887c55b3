import { Command, CommanderError } from 'commander'
import { Fault } from '../core/fault.ts'
import type { CommandLine } from './catalogue/command.ts'
import { catalogue } from './catalogue/index.ts'
import { complain } from './complain.ts'

/** Parses the command line and runs one command. */
export async function run(args: readonly string[]): Promise<number> {
  let code = 0
  const program = new Command('rackwright')
    .description('Runs bare metal the way Kubernetes runs pods.')
    .option('--home <folder>', 'where state lives (default: $RACKWRIGHT_HOME, else .rackwright in the current folder)')
    .showHelpAfterError('(rackwright --help lists the commands)')
    .exitOverride()
  const add = ({ call, says, options = [], load }: CommandLine): void => {
    const { group, signature } = placed(call)
    const command = groupOf(program, group)
      .command(signature)
      .description(says)
      .action(async (...given: unknown[]) => {
        const self = given.at(-1) as Command
        const action = await load()
        code = await action(self.optsWithGlobals(), ...(self.processedArgs as string[]))
      })
    for (const [flag, meaning, unless] of options) command.option(flag, meaning, unless)
  }
  for (const line of catalogue) add(line)
  try {
    await program.parseAsync([...args], { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode
    complain(error instanceof Error ? error : new Fault('cli/unknown', String(error)))
    return 1
  }
}

/** `bmc add <address>` is `add <address>` of the group `bmc`. */
function placed(call: string): { readonly group: string | undefined; readonly signature: string } {
  const [first = '', second = ''] = call.split(' ')
  return /^[a-z]/.test(second) ? { group: first, signature: call.slice(first.length + 1) } : { group: undefined, signature: call }
}

function groupOf(program: Command, name: string | undefined): Command {
  if (name === undefined) return program
  const before = program.commands.find(command => command.name() === name)
  return before ?? program.command(name).exitOverride()
}
