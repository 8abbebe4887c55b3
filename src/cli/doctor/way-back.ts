import { isIPv4 } from 'node:net'
import { type Finding, hint, well, wrong } from './finding.ts'

const isLoopback = (address: string): boolean => /^127\./.test(address) || address === '::1' || address === 'localhost'

/**
 * Whether machines can reach the boot server. That cannot be tried from here; but a boot server on loopback is out of reach of anything
 * that is not, and one that is on another network than the address we speak to the BMC from is worth a look.
 */
export function wayBack(bootUrl: string | undefined, bmcAddress: string, spokeFrom: string | undefined): Finding {
  const what = 'way back to the boot server'
  if (bootUrl === undefined) return wrong(what, 'nobody has said where the boot server is', 'rackwright up --no-sim --boot-address <ip>')
  const { hostname } = new URL(bootUrl)
  if (isLoopback(hostname)) {
    return isLoopback(bmcAddress)
      ? well(what, `${bootUrl} and the rack are both on this machine`)
      : wrong(what, `machines cannot reach ${bootUrl}: it is on loopback`, `rackwright up --no-sim --boot-address ${spokeFrom ?? '<ip>'}`)
  }
  if (spokeFrom !== undefined && isIPv4(hostname) && hostname !== spokeFrom)
    return hint(
      what,
      `the boot server is at ${hostname}, the BMC is reached from ${spokeFrom}: the hosts' network must have a route to ${hostname}`,
    )
  return well(what, `${bootUrl} is on the network that the BMC is reached from`)
}
