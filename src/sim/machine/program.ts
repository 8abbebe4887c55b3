import type { Step } from './world.ts'

const mark = 'sim:'

/**
 * What an image says it does, in lines such as `sim: install debian-13`, `sim: post http://boot/booted {"state":"up"}`, `sim: reboot`.
 * Lines after `sim: disk` are what the installed system does. Any bytes may stand around them. `${boot}`, `${uuid}` and `${mac}` are
 * filled in when a machine has loaded it.
 */
export function readProgram(bytes: Uint8Array): readonly Step[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 256 * 1024)).toString('latin1')
  if (!text.includes(mark)) return []
  const live: Step[] = []
  const disk: Step[] = []
  let steps = live
  for (const line of text.split('\n')) {
    const at = line.indexOf(mark)
    if (at === -1) continue
    const words = line.slice(at + mark.length).trim()
    if (words === 'disk') steps = disk
    else {
      const step = stepOf(words)
      if (step) steps.push(step)
    }
  }
  return disk.length === 0 ? live : live.map(step => (step.do === 'install' ? { ...step, then: disk } : step))
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
