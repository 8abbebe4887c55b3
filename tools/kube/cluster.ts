import { type ChildProcess, spawn } from 'node:child_process'
import { createPublicKey, randomInt } from 'node:crypto'
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { kubeconfigText } from '../../src/apiserver/auth/kubeconfig.ts'
import { createAuthority, createClientCertificate, createServerCertificate, newKey } from '../../src/net/certificates.ts'

export interface Cluster {
  readonly url: string
  readonly kubeconfig: string
  readonly folder: string
  /** Process ids of etcd, kube-apiserver and kube-controller-manager, for those who measure them. */
  readonly pids: readonly number[]
  stop(): Promise<void>
}

const names = ['localhost', '127.0.0.1', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc', '10.0.0.1']

const usualControllers = [
  'garbage-collector-controller',
  'namespace-controller',
  'serviceaccount-controller',
  'serviceaccount-token-controller',
  'root-ca-certificate-publisher-controller',
]

/** A real control plane on loopback from the binaries in `bin`: etcd, kube-apiserver, and the controllers that the API's semantics need. */
export async function startCluster(
  bin: string,
  options: { readonly fsync?: boolean; readonly controllers?: readonly string[] } = {},
): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'rackwright-kube-'))
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 })
    return join(folder, name)
  }
  const life = { now: Date.now(), lasts: 30 * 86_400_000 }
  const ca = await createAuthority({ commonName: 'lane-ca' }, life)
  const server = await createServerCertificate(ca, { commonName: 'kube-apiserver' }, names, life)
  const admin = await createClientCertificate(ca, { commonName: 'lane-admin', organizations: ['system:masters'] }, life)
  const kcm = await createClientCertificate(ca, { commonName: 'system:kube-controller-manager', organizations: [] }, life)
  const [etcdPort, peerPort, apiPort] = [await freePort(), await freePort(), await freePort()]
  const url = `https://127.0.0.1:${apiPort}`
  const etcd = `http://127.0.0.1:${etcdPort}`
  const peer = `http://127.0.0.1:${peerPort}`
  const authority = file('ca.crt', ca.certificate)
  const key = newKey()
  const accountKey = file('sa.key', key)
  const accountPublic = file('sa.pub', createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString())
  const running: ChildProcess[] = []
  const start = (name: string, args: readonly string[]): void => {
    const log = openSync(join(folder, `${name}.log`), 'a')
    running.push(spawn(join(bin, name), args, { stdio: ['ignore', log, log], cwd: folder }))
  }
  const stop = async (): Promise<void> => {
    for (const child of running.toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const ended = new Promise(resolve => child.once('exit', resolve))
      child.kill('SIGTERM')
      const patience = setTimeout(() => child.kill('SIGKILL'), 30_000)
      await ended
      clearTimeout(patience)
    }
    rmSync(folder, { recursive: true, force: true })
  }
  start('etcd', [
    '--name=lane',
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=${etcd}`,
    `--advertise-client-urls=${etcd}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=lane=${peer}`,
    '--log-level=warn',
    ...(options.fsync ? [] : ['--unsafe-no-fsync']),
  ])
  start('kube-apiserver', [
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${apiPort}`,
    `--etcd-servers=${etcd}`,
    '--service-cluster-ip-range=10.0.0.0/24',
    `--cert-dir=${folder}`,
    `--tls-cert-file=${file('server.crt', server.certificate)}`,
    `--tls-private-key-file=${file('server.key', server.key)}`,
    `--client-ca-file=${authority}`,
    '--authorization-mode=RBAC',
    '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
    `--service-account-key-file=${accountPublic}`,
    `--service-account-signing-key-file=${accountKey}`,
    '--endpoint-reconciler-type=none',
    '--profiling=false',
  ])
  const kubeconfig = file('admin.kubeconfig', kubeconfigText(url, ca.certificate, admin))
  try {
    await ready(url, ca.certificate, running, folder)
  } catch (error) {
    await stop()
    throw error
  }
  start('kube-controller-manager', [
    `--kubeconfig=${file('kcm.kubeconfig', kubeconfigText(url, ca.certificate, kcm))}`,
    '--leader-elect=false',
    '--use-service-account-credentials=true',
    '--secure-port=0',
    '--profiling=false',
    `--controllers=${[...usualControllers, ...(options.controllers ?? [])].join()}`,
    `--service-account-private-key-file=${accountKey}`,
    `--root-ca-file=${authority}`,
  ])
  return { url, kubeconfig, folder, pids: running.map(child => child.pid ?? 0), stop }
}

async function ready(url: string, ca: string, running: readonly ChildProcess[], folder: string): Promise<void> {
  const { httpTransport } = await import('../../src/net/client.ts')
  const transport = httpTransport({ baseUrl: url, tls: { authority: ca } })
  for (let i = 0; i < 600; i += 1) {
    const dead = running.find(child => child.exitCode !== null)
    if (dead)
      throw new Error(
        `Cannot start the control plane: ${dead.spawnfile} ended with ${dead.exitCode}: ${readFileSync(join(folder, `${basename(dead.spawnfile)}.log`), 'utf8').slice(-2_000)}`,
      )
    const answer = await transport({ method: 'GET', url: '/readyz', headers: {} }).catch(() => undefined)
    if (answer && !(answer.body instanceof Uint8Array)) for await (const _ of answer.body);
    if (answer?.status === 200) return void (await transport.close())
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  throw new Error('Cannot start the control plane: it was not ready after a minute')
}

/**
 * A port that nobody has, for a program that cannot pick one itself. Not one of those that the system gives to outgoing connections: by
 * the time the program listens, somebody's connection might have it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 32_000)
    const isFree = await new Promise<boolean>(resolve => {
      const server = createServer().once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (isFree) return port
  }
}
