import { Fault } from '../core/fault.ts'

const enter = ['\r', '\n']
const stops = ['\u0003', '\u0004']
const backspace = ['\u007F', '\b']
const stopped = (): Fault => new Fault('cli/stopped', 'Nothing was changed: you stopped it', 'never')

/** Asks for something that must not be seen: nothing is echoed, and it stands in no history. */
export function hiddenAnswer(question: string): Promise<string> {
  const { stdin, stdout } = process
  if (!stdin.isTTY)
    throw new Fault('cli/not-asked', 'Cannot ask for a password: standard input is not a terminal', 'never', {
      hint: 'give it with --password-file, or as $RACKWRIGHT_BMC_PASSWORD',
    })
  stdout.write(question)
  stdin.setRawMode(true)
  stdin.resume()
  return new Promise((resolve, reject) => {
    let typed = ''
    const finish = (then: () => void): void => {
      stdin.setRawMode(false)
      stdin.pause()
      stdin.off('data', hear)
      stdout.write('\n')
      then()
    }
    const hear = (chunk: Buffer): void => {
      for (const key of chunk.toString('utf8')) {
        const over = enter.includes(key) ? () => resolve(typed) : stops.includes(key) ? () => reject(stopped()) : undefined
        if (over) {
          finish(over)
          return
        }
        typed = backspace.includes(key) ? typed.slice(0, -1) : typed + key
      }
    }
    stdin.on('data', hear)
  })
}
