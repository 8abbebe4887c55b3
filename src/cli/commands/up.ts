import pc from 'picocolors'
import { Fault } from '../../core/fault.ts'
import { assistedWishes, startTimeoutOf } from '../assisted-wishes.ts'
import { bootWishes } from '../boot-wishes.ts'
import type { Options } from '../catalogue/command.ts'
import { type Everything, localRegistry, startEverything } from '../compose/everything.ts'
import { isHost } from '../compose/rack.ts'
import { type Home, homeAt, prepareHome } from '../home.ts'
import { keyPair } from '../key-pair.ts'
import { showFleet } from '../live/view.ts'
import { imageWishes } from '../live-isos.ts'
import { fileLog } from '../log-file.ts'
import { numberOf } from '../number.ts'
import { portOf } from '../port.ts'
import { ramdiskOf } from '../ramdisk.ts'
import { stopSignal } from '../stop-signal.ts'

/** Starts everything and runs until it is told to stop. */
export async function up(options: Options): Promise<number> {
  const begun = performance.now()
  const home = homeAt(options)
  prepareHome(home)
  const log = fileLog(home.logs, line => console.error(line))
  const stop = stopSignal()
  const certificate = keyPair(options, 'tlsCert', 'tlsKey')
  const bootCertificate = keyPair(options, 'bootCert', 'bootKey')
  const rack = rackOf(options)
  const metal3 = options['metal3'] === true || rack !== undefined
  if (rack && bootCertificate)
    throw new Fault('cli/tls', 'Cannot serve boots by HTTPS to simulated machines: they do not know who signed --boot-cert', 'never', {
      hint: 'add --no-sim',
    })
  const hostImages = imageWishes(options)
  const ramdisk = ramdiskOf(options)
  const agentStartTimeout = startTimeoutOf(options)
  const assistedSettings = assistedWishes(options)
  const port = portOf(options['port'])
  const { demoProbe } = await probes(rack !== undefined)
  try {
    const everything = await startEverything({
      home,
      host: String(options['host']),
      port,
      log,
      acceptLoss: options['acceptLoss'] === true,
      ...(certificate ? { certificate } : {}),
      boot: {
        host: String(options['bootAddress']),
        port: portOf(options['bootPort'] ?? (port === 0 ? 0 : usualBootPort)),
        registries: { listed: typeof options['ownRegistries'] === 'string' ? options['ownRegistries'].split(',') : [] },
        allowUserDataByWindow: options['allowUserDataByWindow'] === true,
        ...(bootCertificate ? { tls: bootCertificate } : {}),
        ...(typeof options['registryCredentials'] === 'string' ? { registrySecret: options['registryCredentials'] } : {}),
      },
      probeImage: typeof options['probeImage'] === 'string' ? options['probeImage'] : (demoProbe ?? `${localRegistry}/probe:latest`),
      boots: bootWishes(options),
      bootImages: options['bootImages'] === true,
      isolateJobs: options['isolateJobs'] === true,
      metal3,
      assisted: options['metal3'] === true,
      assistedSettings,
      ...(agentStartTimeout === undefined ? {} : { agentStartTimeout }),
      ...(hostImages ? { hostImages } : {}),
      ...(ramdisk ? { ramdisk } : {}),
      ...(rack ? { rack } : {}),
    })
    present(everything, home, performance.now() - begun)
    log.info('up', { url: everything.embedded.url })
    const over = new AbortController()
    const shown = showFleet(everything.kube, metal3, () => 'Ctrl-C stops it.', over.signal)
    const why = await stop
    over.abort()
    await shown
    console.log(`Stopping (${why}).`)
    await everything.close()
    return 0
  } finally {
    log.flush()
  }
}

/** Real machines and DHCP servers are told this once, so it stays the same. */
const usualBootPort = 7480

const probes = async (simulated: boolean): Promise<{ readonly demoProbe?: string }> =>
  simulated ? { demoProbe: (await import('../../sim/images/demo.ts')).discoveryImage } : {}

function rackOf(options: Options): { servers: number; hosts: number; speed: number; claim: boolean } | undefined {
  if (options['sim'] === false) return undefined
  const servers = numberOf('--servers', options['servers'], { least: 1, most: 10_000 })
  const speed = numberOf('--speed', options['speed'], { least: 1, most: 1_000 })
  const hosts = numberOf('--hosts', options['hosts'], { least: 0, most: 1_000 })
  return { servers, hosts, speed, claim: options['demoClaim'] !== false }
}

function present({ embedded, boot, demo }: Everything, home: Home, took: number): void {
  const { kubeconfig, url } = embedded
  console.log(`${pc.bold('Rackwright is up')} (${(took / 1000).toFixed(1)} s)`)
  console.log(`  API:        ${url}`)
  console.log(`  boot:       ${boot.url}`)
  console.log(`  kubeconfig: ${kubeconfig}`)
  console.log(`  state:      ${home.root}`)
  if (demo) {
    const { servers } = demo.rack.rack
    const hosts = servers.filter(isHost).length
    const machines = `${servers.length - hosts} simulated servers${hosts > 0 ? ` and ${hosts} hosts of Metal3` : ''}`
    console.log(`  rack:       ${machines}; machines and waits run at ${demo.speed} times their speed`)
    console.log('Real: the API, the controllers, Redfish over HTTPS, the boot server. Simulated: the machines, their BMCs and their disks.')
  } else console.log('  rack:       none is simulated; add a real server with: rackwright bmc add <address>')
  console.log(`Try: rackwright get${demo ? ', rackwright why demo' : ''}, or kubectl --kubeconfig ${kubeconfig} get servers`)
  console.log('Ctrl-C stops it.')
}
