import { jobPrograms } from '../../api/metal/firmware-shapes.ts'
import { biosScan } from './bios-scan.ts'
import { biosSettingsUpdate } from './bios-settings-update.ts'
import { biosVersionUpdate } from './bios-version-update.ts'
import { readEnvironment } from './environment.ts'
import { Exit, exitCodes } from './exit.ts'
import { firmwareScan } from './firmware-scan.ts'
import { firmwareUpdate } from './firmware-update.ts'
import type { Program, ProgramName, ProgramPorts } from './program.ts'

const programs: Readonly<Record<ProgramName, Program>> = {
  'bios-scan': biosScan,
  'bios-version-update': biosVersionUpdate,
  'bios-settings-update': biosSettingsUpdate,
  'firmware-scan': firmwareScan,
  'firmware-update': firmwareUpdate,
}

export { jobPrograms }

const isProgram = (name: string): name is ProgramName => Object.hasOwn(programs, name)

/** Runs a program to its exit code. What is thrown other than an Exit is a failure that is worth another try. */
export async function runJobProgram(name: string, env: Readonly<Record<string, string | undefined>>, ports: ProgramPorts): Promise<number> {
  try {
    if (!isProgram(name)) throw new Exit('Refused', `There is no program "${name}"; the programs are ${jobPrograms.join(', ')}`)
    await programs[name](readEnvironment(env), ports)
    ports.say('Done')
    return exitCodes.Succeeded
  } catch (error) {
    ports.say(error instanceof Error ? error.message : String(error))
    return error instanceof Exit ? exitCodes[error.outcome] : exitCodes.Failed
  }
}
