import { readFileSync } from 'node:fs'
import pc from 'picocolors'
import { Fault } from '../../core/fault.ts'
import { startEmbedded } from '../embedded.ts'
import { homeAt, prepareHome } from '../home.ts'
import { fileLog } from '../log-file.ts'
import { portOf } from '../port.ts'
import { stopSignal } from '../stop-signal.ts'

/** Starts everything and runs until it is told to stop. */
export async function up(options: Readonly<Record<string, unknown>>): Promise<number> {
  const begun = performance.now()
  const home = homeAt(options)
  prepareHome(home)
  const log = fileLog(home.logs, line => console.error(line))
  const stop = stopSignal()
  const certificate = ownCertificate(options)
  try {
    const embedded = await startEmbedded({
      home,
      host: String(options['host']),
      port: portOf(options['port']),
      log,
      acceptLoss: options['acceptLoss'] === true,
      ...(certificate ? { certificate } : {}),
    })
    const took = ((performance.now() - begun) / 1000).toFixed(1)
    console.log(`${pc.bold('Rackwright is up')} (${took} s)`)
    console.log(`  API:        ${embedded.url}`)
    console.log(`  kubeconfig: ${embedded.kubeconfig}`)
    console.log(`  state:      ${home.root}`)
    console.log(`Try: kubectl --kubeconfig ${embedded.kubeconfig} get crds`)
    console.log('Ctrl-C stops it.')
    log.info('up', { url: embedded.url })
    const why = await stop
    console.log(`Stopping (${why}).`)
    await embedded.close()
    return 0
  } finally {
    log.flush()
  }
}

function ownCertificate(options: Readonly<Record<string, unknown>>): { certificate: string; key: string } | undefined {
  const { tlsCert, tlsKey } = options
  if (tlsCert === undefined && tlsKey === undefined) return undefined
  if (typeof tlsCert !== 'string' || typeof tlsKey !== 'string')
    throw new Fault('cli/tls', 'Cannot serve with half a key pair: --tls-cert and --tls-key go together', 'never')
  const read = (file: string): string => {
    try {
      return readFileSync(file, 'utf8')
    } catch (cause) {
      throw new Fault('cli/tls', `Cannot read ${file}: ${(cause as NodeJS.ErrnoException).code}`, 'never', { cause })
    }
  }
  return { certificate: read(tlsCert), key: read(tlsKey) }
}
