import pc from 'picocolors'
import { type BMC, bmcs } from '../../controllers/metal/resources.ts'
import { Fault } from '../../core/fault.ts'
import { parseInstant } from '../../core/instant.ts'
import { httpTransport } from '../../net/client.ts'
import { wallClock } from '../../net/wall-clock.ts'
import { type Kube, silent } from '../../ports/index.ts'
import { openBmc } from '../../redfish/index.ts'
import { withApi } from '../api.ts'
import type { Options } from '../catalogue/command.ts'
import { bmcAccess } from '../compose/bmc-access.ts'
import { readBootUrl } from '../compose/boot-url.ts'
import { managerNamespace } from '../compose/manager-namespace.ts'
import { clocksAgree } from '../doctor/clocks.ts'
import { dhcpHint } from '../doctor/dhcp.ts'
import { type Finding, hint, renderFindings, well, wrong } from '../doctor/finding.ts'
import { knock } from '../doctor/knock.ts'
import { wayBack } from '../doctor/way-back.ts'

/** Looks at everything between us and a booted server, and says what to do about what is wrong. */
export const doctor = (options: Options, name?: string): Promise<number> =>
  withApi(options, async kube => {
    const found = name === undefined ? (await kube.list(bmcs)).items : [await kube.get(bmcs, { name })]
    const bootUrl = await readBootUrl(kube)
    const findings = [
      well('API', `answers, and knows ${found.length} ${found.length === 1 ? 'BMC' : 'BMCs'}`),
      await bootServer(bootUrl),
      ...(await Promise.all(found.map(bmc => reach(kube, bmc, bootUrl)))).flat(),
      ...(bootUrl === undefined ? [] : [dhcpHint(bootUrl)]),
      ...(found.length === 0 ? [hint('BMCs', 'there are none yet: rackwright bmc add <address>')] : []),
    ]
    console.log(renderFindings(findings, pc))
    return findings.some(({ is }) => is === 'wrong') ? 1 : 0
  })

async function bootServer(url: string | undefined): Promise<Finding> {
  if (url === undefined) return wrong('boot server', 'nobody has said where it is', 'rackwright up, or rackwright boot-server')
  const transport = httpTransport({ baseUrl: url })
  try {
    const { status } = await transport({ method: 'GET', url: '/healthz', headers: {} })
    return status === 200 ? well('boot server', `answers at ${url}`) : wrong('boot server', `${url} answers ${status}`, 'look into its log')
  } catch (error) {
    return wrong('boot server', error instanceof Error ? error.message : String(error), 'is it running, and is its port open?')
  } finally {
    await transport.close()
  }
}

async function reach(kube: Kube, bmc: BMC, bootUrl: string | undefined): Promise<readonly Finding[]> {
  const { name } = bmc.metadata
  const ip = bmc.spec.access?.ip
  const what = `BMC ${name}`
  if (ip === undefined) return [wrong(what, 'has no address yet')]
  const spokeFrom = await knock(ip, bmc.spec.protocol.port)
  if (spokeFrom === undefined)
    return [wrong(what, `nobody listens at ${ip}:${bmc.spec.protocol.port}`, 'check its cable, its address, and the firewall in between')]
  try {
    const access = await bmcAccess({ kube, read: () => bmc, namespace: managerNamespace })(name)
    const opened = await openBmc(access, { clock: wallClock, log: silent })
    const { time } = await opened.manager.health()
    await opened.close()
    const clock = clocksAgree(name, time === undefined ? undefined : parseInstant(time), wallClock.now())
    return [
      well(what, `lets us in at ${ip}, ${opened.identity.manufacturer} ${opened.identity.model}`),
      ...(clock ? [clock] : []),
      wayBack(bootUrl, ip, spokeFrom),
    ]
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return [wrong(what, error.message, error.code === 'bmc/untrusted' ? `rackwright bmc trust ${name}` : error.hint)]
  }
}
