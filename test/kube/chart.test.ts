import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { pieces } from '../../src/cli/install/pieces.ts'
import { parts, usual } from '../../src/cli/install/values.ts'
import { bootServerGrants, controllerGrants } from '../../src/cli/operator/grants.ts'
import { rulesOf, split } from '../../src/cli/operator/rbac.ts'
import { servers } from '../../src/controllers/metal/resources.ts'
import type { KubeObject } from '../../src/core/object.ts'
import { connect, kubeClient, loadConnection } from '../../src/kube/index.ts'
import type { HttpTransport } from '../../src/net/client.ts'
import { randomIds } from '../../src/net/random-ids.ts'
import { wallClock } from '../../src/net/wall-clock.ts'
import type { Kube, ResourceRef } from '../../src/ports/index.ts'
import { type Cluster, startCluster } from '../../tools/kube/cluster.ts'
import type { Body } from '../contracts/api/host.ts'
import { until } from './lane.ts'

const bin = process.env['KUBEBUILDER_ASSETS']
const helm = process.env['RACKWRIGHT_HELM']
const root = new URL('../..', import.meta.url).pathname
const chart = join(root, 'charts/rackwright')
const url = 'http://boot.example.com:8080'
const named = ['--set', `bootServer.url=${url}`]
/** What is templated is not asked which Kubernetes it is for. */
const today = ['--kube-version', '1.36.0']

const cluster = (group: string, version: string, plural: string): ResourceRef => ({ group, version, plural, namespaced: false })
const within = (group: string, version: string, plural: string): ResourceRef => ({ group, version, plural, namespaced: true })
const rbac = 'rbac.authorization.k8s.io'
const clusterRoles = cluster(rbac, 'v1', 'clusterroles')
const roles = within(rbac, 'v1', 'roles')
const deployments = within('apps', 'v1', 'deployments')
const definitions = cluster('apiextensions.k8s.io', 'v1', 'customresourcedefinitions')
const system = 'rackwright-system'

/** As it stands in a stream of YAML, by kind and name; read as Helm and kubectl read it, to whom a bare `On` is true. */
const read = (text: string): ReadonlyMap<string, KubeObject> =>
  new Map(
    parseAllDocuments(text, { version: '1.1' })
      .map(document => document.toJS() as KubeObject | null)
      .filter(object => object !== null)
      .map(object => [`${object.kind} ${object.metadata.name}`, object]),
  )

describe.skipIf(bin === undefined || helm === undefined)('the Helm chart', () => {
  let lane: Cluster
  let transport: HttpTransport
  let kube: Kube
  const home = mkdtempSync(join(tmpdir(), 'rackwright-helm-'))
  const run = (program: string, args: readonly string[]): string => {
    const env = { ...process.env, HELM_CACHE_HOME: home, HELM_CONFIG_HOME: home, HELM_DATA_HOME: home, KUBECONFIG: lane?.kubeconfig ?? '' }
    const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', env, cwd: root, maxBuffer: 64 << 20 })
    expect({ status, stderr: status === 0 ? '' : stderr + stdout }).toEqual({ status: 0, stderr: '' })
    return stdout
  }
  const helmed = (...args: readonly string[]): string => run(helm ?? '', args)
  beforeAll(async () => {
    lane = await startCluster(bin ?? '')
    transport = connect(await loadConnection({ file: lane.kubeconfig }), wallClock)
    kube = kubeClient(transport, { clock: wallClock, ids: randomIds })
  })
  afterAll(async () => {
    await transport?.close()
    await lane?.stop()
    rmSync(home, { recursive: true, force: true })
  })

  it('passes helm lint', () => {
    expect(helmed('lint', chart, '--strict', ...named)).toContain('0 chart(s) failed')
  })
  const choices: readonly (readonly [what: string, wanted: readonly string[], unwanted: readonly string[]])[] = [
    ['by itself', [], []],
    ['with monitoring', ['serviceMonitor.enabled', 'alerts.enabled'], []],
    ['without CRDs', [], ['crds.metal']],
  ]
  for (const [what, wanted, unwanted] of choices)
    it(`holds what \`rackwright manifests\` prints, ${what}`, () => {
      const switches = [...wanted.map(part => `${part}=true`), ...unwanted.map(part => `${part}=false`)]
      const fromChart = read(
        helmed('template', 'rackwright', chart, ...today, '-n', system, ...named, ...switches.flatMap(one => ['--set', one])),
      )
      const flags = [wanted.length > 0 ? ['--with', wanted.join(',')] : [], unwanted.length > 0 ? ['--without', unwanted.join(',')] : []]
      const manifests = new Map(read(run(process.execPath, [join(root, 'src/main.ts'), 'manifests', '--boot-url', url, ...flags.flat()])))
      manifests.delete(`Namespace ${system}`)
      const meant = pieces
        .filter(({ part }) => part === undefined || wanted.includes(part) || (parts[part].unless && !unwanted.includes(part)))
        .flatMap(piece => piece.objects({ ...usual, bootServer: { ...usual.bootServer, url } }))
      expect([...manifests.values()]).toEqual(meant)
      expect([...fromChart.keys()].toSorted()).toEqual([...manifests.keys()].toSorted())
      for (const [name, object] of manifests) expect(fromChart.get(name)).toEqual(object)
    })
  it('wants to know where machines boot', () => {
    const { status, stderr } = spawnSync(helm ?? '', ['template', chart, ...today], { encoding: 'utf8' })
    expect(status).not.toBe(0)
    expect(stderr).toContain('bootServer.url: where machines reach the boot server')
  })

  it('installs, upgrades with a new field while objects stay, and leaves them behind when it goes', async () => {
    helmed('install', 'rackwright', chart, '-n', system, '--create-namespace', ...named)
    const rulesIn = async (of: ResourceRef, name: string) =>
      (await kube.get(of, { name, ...(of.namespaced ? { namespace: system } : {}) }))['rules']
    expect(await rulesIn(clusterRoles, 'rackwright-controllers')).toEqual(rulesOf(split(controllerGrants).everywhere))
    expect(await rulesIn(roles, 'rackwright-controllers')).toEqual(rulesOf(split(controllerGrants).manager))
    expect(await rulesIn(clusterRoles, 'rackwright-boot-server')).toEqual(rulesOf(bootServerGrants))

    const server: Body = {
      apiVersion: 'metal.ironcore.dev/v1alpha1',
      kind: 'Server',
      metadata: { name: 'kept' },
      spec: { systemUUID: '00000000-0000-4000-8000-000000000001', shelf: 'top' },
    }
    const before = await until('a Server can be made', () => kube.create(servers, server).catch(() => undefined))
    expect((before.spec as Body).shelf).toBeUndefined()

    const newer = join(home, 'newer')
    cpSync(chart, newer, { recursive: true })
    const crd = join(newer, 'templates/crds/metal.ironcore.dev_servers.yaml')
    writeFileSync(crd, readFileSync(crd, 'utf8').replace(/^(\s+)systemUUID:\n/m, '$1shelf:\n$1  type: string\n$&'))
    helmed('upgrade', 'rackwright', newer, '-n', system, ...named)
    await until('the new field is kept', async () => {
      const { spec } = await kube.patch(servers, { name: 'kept' }, { merge: { spec: { shelf: 'top' } } })
      return (spec as Body).shelf === 'top'
    })
    expect((await kube.get(servers, { name: 'kept' })).metadata.uid).toBe(before.metadata.uid)

    helmed('uninstall', 'rackwright', '-n', system)
    expect(await kube.find(deployments, { name: 'rackwright-controllers', namespace: system })).toBeUndefined()
    expect(await kube.find(clusterRoles, { name: 'rackwright-controllers' })).toBeUndefined()
    expect((await kube.get(definitions, { name: 'servers.metal.ironcore.dev' })).metadata.deletionTimestamp).toBeUndefined()
    expect((await kube.get(servers, { name: 'kept' })).metadata.uid).toBe(before.metadata.uid)
  })
  it('makes pods that pass the restricted Pod Security Standard', async () => {
    const namespace = 'restricted'
    const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' }
    await kube.create(cluster('', 'v1', 'namespaces'), { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } })
    await kube.create(within('', 'v1', 'serviceaccounts'), {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'any', namespace },
    })
    const found = [...read(helmed('template', 'rackwright', chart, ...today, '-n', system, ...named)).values()].filter(
      ({ kind }) => kind === 'Deployment',
    )
    expect(found).toHaveLength(2)
    for (const { metadata, spec } of found as Body[]) {
      const pod = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: metadata.name, namespace },
        spec: { ...spec.template.spec, serviceAccountName: 'any' },
      }
      expect((await kube.create(within('', 'v1', 'pods'), pod, { dryRun: true })).metadata.name).toBe(metadata.name)
    }
  })
})
