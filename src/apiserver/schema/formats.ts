import { isIPv4, isIPv6 } from 'node:net'
import { daysIn, parseInstant } from '../../core/instant.ts'

type Format = (text: string) => boolean

const uuid = (version?: string): Format => {
  const shape = new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version ?? '[0-9a-f]'}[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$`, 'i')
  return text => text.length <= 36 && shape.test(text)
}

const date: Format = text => {
  const found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!found) return false
  const [year, month, day] = [Number(found[1]), Number(found[2]), Number(found[3])]
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

/** Standard base64 with padding. A loop: an expression would need a stack as deep as the text is long. */
const byte: Format = text => {
  if (text.length % 4 !== 0) return false
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  for (let at = 0; at < text.length - padding; at++) {
    const code = text.charCodeAt(at)
    const fits = (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 43 || code === 47
    if (!fits) return false
  }
  return true
}

const cidr: Format = text => {
  const slash = text.indexOf('/')
  if (slash < 0 || !/^(0|[1-9]\d{0,2})$/.test(text.slice(slash + 1))) return false
  const [address, bits] = [text.slice(0, slash), Number(text.slice(slash + 1))]
  return (isIPv4(address) && bits <= 32) || (ipv6(address) && bits <= 128)
}
const ipv6: Format = text => isIPv6(text) && !text.includes('%')

const mac: Format = text =>
  text.length <= 59 &&
  /^([0-9a-f]{2}([:-]))([0-9a-f]{2}\2){4}([0-9a-f]{2}\2){0,2}[0-9a-f]{2}$|^([0-9a-f]{4}\.){2,3}[0-9a-f]{4}$|^[0-9a-f]{12}$/i.test(text)

/** Go's durations (`1h30m`, `-1.5s`), and the wordy ones that Kubernetes takes besides (`3 days`). */
const duration: Format = text => {
  if (text.length > 100) return false
  if (/^[+-]?(0|((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)$/.test(text)) return true
  return /^(\d+\s*(ns|nanos?|us|µs|micros?|ms|millis?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?)\s*)+$/.test(
    text,
  )
}

const uri: Format = text => {
  if (!/^([a-zA-Z][a-zA-Z0-9+.-]*:|\/)/.test(text) || /%(?![0-9a-fA-F]{2})/.test(text)) return false
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) <= 32 || text.charCodeAt(at) === 127) return false
  return true
}

const hostname: Format = text =>
  text.length <= 255 && text.split('.').every(part => part.length <= 63 && /^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$/.test(part))

/** An address, bare or after a name: `Ann <ann@example.com>`. */
const email: Format = text => text.length <= 320 && (/^[^\s@<>"]+@[^\s@<>"]+$/.test(text) || /^[^<>@]*<[^\s@<>"]+@[^\s@<>"]+>$/.test(text))

/** The formats that Kubernetes checks; others carry no meaning here, as there. Dashes do not count (`date-time`, `datetime`). */
const formats: Readonly<Record<string, Format>> = {
  date,
  datetime: text => parseInstant(text) !== undefined,
  duration,
  byte,
  uri,
  uuid: uuid(),
  uuid3: uuid('3'),
  uuid4: uuid('4'),
  uuid5: uuid('5'),
  ipv4: isIPv4,
  ipv6,
  cidr,
  mac,
  email,
  hostname,
  password: () => true,
}

export function formatCheck(name: string): Format | undefined {
  const plain = name.replaceAll('-', '')
  return Object.hasOwn(formats, plain) ? formats[plain] : undefined
}
