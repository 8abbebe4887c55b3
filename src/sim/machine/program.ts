import type { Step } from './world.ts'

const mark = 'sim:'

/**
 * What an image says it does, in lines such as `sim: install debian-13`, `sim: post http://boot/booted {"state":"up"}`, `sim: reboot`.
 * Lines after `sim: disk` are what the installed system does, those after the second one what it does at its second boot, and so on. Any bytes may stand around them. `${boot}`, `${uuid}` and `${mac}` are
 * filled in when a machine has loaded it.
 */
export function readProgram(bytes: Uint8Array): readonly Step[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 256 * 1024)).toString('latin1')
  if (!text.includes(mark)) return []
  const live: Step[] = []
  const boots: Step[][] = []
  for (const line of text.split('\n')) {
    const at = line.indexOf(mark)
    if (at === -1) continue
    const words = line.slice(at + mark.length).trim()
    if (words === 'disk') boots.push([])
    else {
      const step = stepOf(words)
      if (step) (boots.at(-1) ?? live).push(step)
    }
  }
  const [then, ...later] = boots
  if (!then) return live
  return live.map(step => (step.do === 'install' ? { ...step, then, ...(later.length > 0 ? { later } : {}) } : step))
}

function stepOf(words: string): Step | undefined {
  const [verb = '', first = '', ...rest] = words.split(' ')
  switch (verb) {
    case 'fetch':
      return { do: 'fetch', url: first }
    case 'post':
      return { do: 'post', url: first, body: rest.join(' ') }
    case 'install':
      return { do: 'install', os: first }
    case 'wait':
      return { do: 'wait', ms: Number(first) * 1_000 }
    case 'ironic-agent':
      return {
        do: verb,
        url: first,
        ...(rest[0] === undefined ? {} : { callback: rest[0] }),
        ...(rest[1] === undefined ? {} : { token: rest[1] }),
      }
    case 'probe':
      return { do: 'probe', url: first }
    case 'wipe':
    case 'reboot':
    case 'power-off':
    case 'ignore-power-button':
      return { do: verb }
    default:
      return undefined
  }
}
