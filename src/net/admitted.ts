import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { Fault } from '../core/fault.ts'

/** Whether an address may be spoken to. */
export type Admits = (address: string) => boolean

/** Connects to admitted addresses only: of those that a name has, the others are left out, and what was looked up is what is used. */
export function admitted(admits: Admits | undefined, options: buildConnector.BuildOptions): buildConnector.connector {
  if (!admits) return buildConnector(options)
  const guarded: LookupFunction = (name, wanted, callback) =>
    lookup(name, { ...wanted, all: true }, (error, found) => {
      if (error) return callback(error, [])
      const open = found.filter(({ address }) => admits(address))
      const [first] = open
      if (!first) return callback(refused(name), [])
      if (wanted.all) callback(null, open)
      else callback(null, first.address, first.family)
    })
  const connect = buildConnector({ ...options, lookup: guarded } as buildConnector.BuildOptions)
  return (to, callback) => {
    const host = to.hostname.replace(/^\[|\]$/g, '')
    // Addresses are not looked up, so they are asked about here.
    if (isIP(host) !== 0 && !admits(host)) callback(refused(host), null)
    else connect(to, callback)
  }
}

const refused = (host: string): Fault =>
  new Fault('net/address-refused', `${host} has no address that may be spoken to from here`, 'when-changed')
