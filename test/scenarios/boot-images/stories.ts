import {
  capiSets,
  goldenKey,
  goldenMaps,
  machineConfigPools,
  machineConfigurations,
  secrets,
} from '../../../src/controllers/boot-images/resources.ts'
import { minutes } from '../../../src/core/duration.ts'
import { exampleStream } from '../../../src/policy/boot-images/fixture.ts'
import type { ResourceRef } from '../../../src/ports/index.ts'
import { scenarios } from '../../../src/sim/story.ts'
import { bootImageSetting, templates, twoKeepers, type words } from './setting.ts'

const namespaces: ResourceRef = { group: '', version: 'v1', plural: 'namespaces', namespaced: false }
const namespace = 'default'
const stream = (image: string): string => {
  const next = structuredClone(exampleStream)
  next.architectures.x86_64.images.gcp.name = image
  return JSON.stringify(next)
}
const ref = { apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1', kind: 'GCPMachineTemplate' }

type Play = Parameters<ReturnType<typeof scenarios<unknown, ReturnType<typeof words>>>>[1]

const upgrades: Play = async ({ when, boots, reports }) => {
  const metadata = { name: 'workers', namespace }
  await when.creates(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: goldenKey.namespace } })
  const data = { userData: Buffer.from('{"ignition":{"version":"3.2.0"}}').toString('base64') }
  await when.creates(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'worker-user-data-managed', namespace }, data })
  const spec = { template: { spec: { image: 'projects/rhcos-cloud/global/images/first' } } }
  await when.creates(templates, { ...ref, metadata, spec })
  await when.creates(capiSets.of, {
    apiVersion: 'cluster.x-k8s.io/v1beta1',
    kind: 'MachineSet',
    metadata,
    spec: { template: { spec: { bootstrap: { dataSecretName: 'worker-user-data' }, infrastructureRef: { ...ref, name: 'workers' } } } },
  })
  const pool = { configuration: { name: 'rendered' } }
  await when.creates(machineConfigPools, {
    apiVersion: 'machineconfiguration.openshift.io/v1',
    kind: 'MachineConfigPool',
    metadata: { name: 'master' },
    spec: pool,
  })
  await reports(machineConfigPools, { name: 'master' }, pool)
  await when.creates(goldenMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: goldenKey, data: { stream: stream('second') } })
  await when.creates(machineConfigurations, {
    apiVersion: 'operator.openshift.io/v1',
    kind: 'MachineConfiguration',
    metadata: { name: 'cluster' },
    spec: {
      managedBootImages: { machineManagers: [{ resource: 'machinesets', apiGroup: 'cluster.x-k8s.io', selection: { mode: 'All' } }] },
    },
  })
  await boots('workers', 'second', minutes(2))
  await when.changes(goldenMaps, goldenKey, { data: { stream: stream('third') } })
  await boots('workers', 'third', minutes(15))
}

export const follows = scenarios(bootImageSetting)('a MachineSet follows two releases', upgrades)
export const oneKeeps = scenarios(twoKeepers)('of two processes one keeps a MachineSet up to date', async words => {
  words.given.processes('a', 'b')
  await upgrades(words)
})
