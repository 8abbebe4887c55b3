import { yamlText } from '../../api/page.ts'
import { Fault } from '../../core/fault.ts'
import type { Options } from '../catalogue/command.ts'

/** Prints `value` as -o says: JSON, YAML, or `text` for people. */
export function print(options: Options, value: unknown, text: () => string): void {
  switch (options['output']) {
    case undefined:
      console.log(text())
      return
    case 'json':
      console.log(JSON.stringify(value, null, 2))
      return
    case 'yaml':
      console.log(yamlText(value).trimEnd())
      return
    default:
      throw new Fault('cli/output', `Cannot print as "${String(options['output'])}": it has to be json or yaml`, 'never')
  }
}
