import { readFileSync } from 'node:fs'
import { Fault } from '../../core/fault.ts'
import { homeAt } from '../home.ts'

export async function kubeconfig(options: Readonly<Record<string, unknown>>): Promise<number> {
  const home = homeAt(options)
  let content: string
  try {
    content = readFileSync(home.kubeconfig, 'utf8')
  } catch (cause) {
    throw new Fault('kubeconfig/missing', `Cannot find a kubeconfig at ${home.kubeconfig}: nothing was started there yet`, 'never', {
      hint: 'run `npm start` (or `rackwright up`) first, or name the state folder with --home',
      cause,
    })
  }
  console.log(options['raw'] === true ? content.trimEnd() : home.kubeconfig)
  return 0
}
