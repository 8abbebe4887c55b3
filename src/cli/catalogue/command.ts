/** A command as data: how it is called, what it says about itself, and where its code is. What a command does not need is not loaded. */
export interface CommandLine {
  /** Its words and arguments, as commander spells them; a space joins a command of a group (`bmc add <address>`). */
  readonly call: string
  readonly says: string
  /** Flag, meaning, default. */
  readonly options?: readonly (readonly [flag: string, says: string, unless?: string])[]
  load(): Promise<Action>
}

export type Options = Readonly<Record<string, unknown>>
/** Answers with the exit code. */
export type Action = (options: Options, ...args: readonly string[]) => Promise<number>
