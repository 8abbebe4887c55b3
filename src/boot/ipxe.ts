import { Fault } from '../core/fault.ts'

/** A boot by iPXE, as data. Scripts are printed from it alone: no text of a user ever becomes a line or a variable of a script. */
export interface IpxeBoot {
  readonly kernel: URL
  readonly initramfs: URL
  readonly arguments: readonly KernelArgument[]
}

export interface KernelArgument {
  readonly name: string
  readonly value?: string
}

/** What the kernel and iPXE both take literally: no white space, no quotes, nothing that iPXE expands. */
const nameShape = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/
const valueShape = /^[A-Za-z0-9._~:/?#[\]@!&'()*+,;=%-]{0,2048}$/
const urlShape = /^https?:\/\/[A-Za-z0-9._~:/?[\]@!&()*+,;=%-]+$/

export function printIpxe(boot: IpxeBoot): string {
  const words = [`initrd=${initrdName}`, ...boot.arguments.map(printArgument)]
  return [
    '#!ipxe',
    `kernel ${printUrl(boot.kernel)} ${words.join(' ')}`,
    `initrd --name ${initrdName} ${printUrl(boot.initramfs)}`,
    'boot',
    '',
  ].join('\n')
}

/** What a machine gets that nobody expects: it says why, and stops. */
export const stopScript = '#!ipxe\necho This machine has no boot that was commanded. It stops here.\nexit 1\n'

const initrdName = 'initramfs'

function printArgument({ name, value }: KernelArgument): string {
  if (!nameShape.test(name)) throw refused(`"${name.slice(0, 80)}" is no name of a kernel argument`)
  if (value === undefined) return name
  if (!valueShape.test(value)) throw refused(`the value of "${name}" has characters that a command line cannot hold`)
  return `${name}=${value}`
}

function printUrl(url: URL): string {
  if (!urlShape.test(url.href)) throw refused('an address has characters that a script cannot hold')
  return url.href
}

const refused = (found: string): Fault => new Fault('boot/unprintable', `Cannot write the boot script: ${found}`, 'when-changed')

/** Reads back what was printed: the proof that printing loses and adds nothing. */
export function readIpxe(script: string): IpxeBoot | undefined {
  const [head, kernelLine = '', initrdLine = '', end, rest] = script.split('\n')
  if (head !== '#!ipxe' || end !== 'boot' || rest !== '') return undefined
  const [kernelWord, kernel = '', initrd, ...words] = kernelLine.split(' ')
  const [initrdWord, flag, named, initramfs = ''] = initrdLine.split(' ')
  if (kernelWord !== 'kernel' || initrd !== `initrd=${initrdName}` || initrdWord !== 'initrd' || flag !== '--name' || named !== initrdName)
    return undefined
  const read = (word: string): KernelArgument => {
    const equals = word.indexOf('=')
    return equals < 0 ? { name: word } : { name: word.slice(0, equals), value: word.slice(equals + 1) }
  }
  return { kernel: new URL(kernel), initramfs: new URL(initramfs), arguments: words.map(read) }
}
