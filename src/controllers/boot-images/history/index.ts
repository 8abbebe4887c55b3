import { ApiError } from '../../../api/status.ts'
import { Fault } from '../../../core/fault.ts'
import { type JsonPatchStep, type Reconciler, type Watch, wokenBy } from '../../../ports/index.ts'
import {
  type BootImageHistory,
  clusterOperators,
  clusterVersions,
  controlPlaneNodes,
  type Foreign,
  featureGates,
  goldenMaps,
  histories,
  historyNameOf,
  infrastructures,
  machineConfigurations,
  secrets,
  sourceOf,
  templateResources,
  templatesOf,
} from '../resources.ts'
import { cloneFor, cloneMark, templateNameOf } from './clones.ts'
import { decide } from './decide.ts'
import { type HistoryPorts, observe } from './observe.ts'
import type { Verb } from './outcome.ts'
import type { Seen } from './seen.ts'

/** Keeps one machine resource at the boot image of the running release. What must be remembered for that stands on its history. */
export const bootImageHistoryController = (ports: HistoryPorts): Reconciler<BootImageHistory, Seen, Verb> => {
  const { kube, sources } = ports
  const keyOf = ({ metadata }: BootImageHistory) => ({ name: metadata.name, namespace: metadata.namespace ?? '' })
  const everyone = () => kube.cached.list(histories).map(keyOf)
  const cluster: readonly Watch[] = [
    goldenMaps,
    machineConfigurations,
    infrastructures,
    clusterVersions,
    featureGates,
    clusterOperators,
  ].map(of => wokenBy(of, everyone))
  const fieldsOf = (history: BootImageHistory) => {
    const source = sourceOf(sources, history)
    if (!source) throw new Fault('boot-images/no-source', 'Cannot change the machine resource: its kind is not served here', 'when-changed')
    return { source, key: { name: history.spec.machineResourceReference.name, namespace: history.metadata.namespace ?? '' } }
  }
  const clonedFor = ({ metadata }: Foreign) => {
    const [resource, name = ''] = metadata.annotations?.[cloneFor]?.split('/') ?? []
    const source = sources.find(one => one.api === 'capi' && one.resource === resource)
    return source ? [{ name: historyNameOf(name, source), namespace: metadata.namespace ?? '' }] : []
  }
  return {
    name: 'boot-image-history',
    kind: histories,
    watches: [
      ...cluster,
      wokenBy(histories, () => (ports.settings.canary ? everyone() : [])),
      wokenBy(controlPlaneNodes, () => []),
      ...templateResources.map(of => wokenBy(of, clonedFor)),
      ...sources.map(source =>
        wokenBy(source.of, ({ metadata }) => [{ name: historyNameOf(metadata.name, source), namespace: metadata.namespace ?? '' }]),
      ),
      ...(ports.settings.canary ? [...new Set(sources.map(({ machines }) => machines))].map(of => wokenBy(of, everyone)) : []),
    ],
    observe: (history, look) => observe(ports, history, look),
    decide,
    perform: {
      patchMachine: {
        async run({ revision, spec, secret, template }, { object, signal }) {
          const { source, key } = fieldsOf(object)
          const at = '/spec/template/spec'
          const inside = source.api === 'mapi' && spec && secret !== undefined ? withStub(spec, secret) : spec
          const steps: readonly JsonPatchStep[] = [
            { op: 'test', path: '/metadata/resourceVersion', value: revision },
            ...(source.api === 'mapi' && inside ? [{ op: 'replace' as const, path: `${at}/providerSpec/value`, value: inside }] : []),
            ...(source.api === 'mapi' && !inside && secret !== undefined
              ? [{ op: 'replace' as const, path: `${at}/providerSpec/value/userDataSecret/name`, value: secret }]
              : []),
            ...(source.api === 'capi' && template !== undefined
              ? [{ op: 'replace' as const, path: `${at}/infrastructureRef/name`, value: template }]
              : []),
            ...(source.api === 'capi' && secret !== undefined
              ? [{ op: 'replace' as const, path: `${at}/bootstrap/dataSecretName`, value: secret }]
              : []),
          ]
          await kube.patch(source.of, key, { json: steps }, { signal })
        },
      },
      cloneTemplate: {
        async run({ name, from, spec }, { object, signal }) {
          const of = templatesOf(from.apiVersion, from.kind)
          const namespace = object.metadata.namespace ?? ''
          const original = await kube.fresh(of, { name: from.name, namespace }, signal)
          if (!original) throw new Fault('boot-images/no-template', `Cannot clone ${from.kind} ${from.name}: it is gone`)
          const { labels } = original.metadata
          const annotations = {
            ...original.metadata.annotations,
            [cloneFor]: cloneMark(fieldsOf(object).source, object.spec.machineResourceReference.name),
          }
          const owners = original.metadata.ownerReferences?.map(({ blockOwnerDeletion: _, ...owner }) => owner)
          const clone = {
            apiVersion: from.apiVersion,
            kind: from.kind,
            metadata: {
              name,
              namespace,
              ...(labels ? { labels } : {}),
              annotations,
              ...(owners ? { ownerReferences: owners } : {}),
            },
            spec: { ...original.spec, template: { ...templateIn(original.spec), spec } },
          }
          try {
            await kube.create(of, clone, { signal })
          } catch (error) {
            // Its name is its content: whoever made it, it is the one.
            if (!(error instanceof ApiError) || error.reason !== 'AlreadyExists') throw error
          }
        },
      },
      liftStub: {
        async run({ secret, userData }, { object, signal }) {
          const namespace = object.metadata.namespace ?? ''
          const found = await kube.fresh(secrets, { name: secret, namespace }, signal)
          if (!found) throw new Fault('boot-images/no-stub', `Cannot lift Secret ${secret} to Ignition 3: it is gone`)
          const before = found.data?.['userData']
          const data = {
            userData: Buffer.from(userData).toString('base64'),
            ...(before === undefined ? {} : { 'userData.before-upgrade': before }),
          }
          const metadata = {
            resourceVersion: found.metadata.resourceVersion,
            annotations: { 'machineconfiguration.openshift.io/stub-ignition-upgraded-to': '3.2.0' },
          }
          await kube.patch(secrets, { name: secret, namespace }, { merge: { metadata, data } }, { signal })
        },
      },
      collectTemplate: {
        destructive: true,
        async run({ name, of: { apiVersion, kind } }, { object, signal }) {
          const of = templatesOf(apiVersion, kind)
          const namespace = object.metadata.namespace ?? ''
          const found = await kube.fresh(of, { name, namespace }, signal)
          // What somebody else made is theirs to remove: others than machine resources may refer to it.
          if (found?.metadata.annotations?.[cloneFor] === undefined) return
          for (const { of: resource } of sources.filter(({ api }) => api === 'capi'))
            if ((await kube.freshList(resource, { namespace }, signal)).some(one => templateNameOf(one) === name)) return
          await kube.delete(of, { name, namespace }, { uid: found.metadata.uid ?? '', signal })
        },
      },
    },
  }
}

const templateIn = (spec: Readonly<Record<string, unknown>> | undefined): object => {
  const template = spec?.['template']
  return typeof template === 'object' && template !== null ? template : {}
}

/** The spec with another stub, under whichever of its two names it stands. */
const withStub = (spec: Readonly<Record<string, unknown>>, name: string) => {
  const field = spec['userDataSecret'] === undefined && spec['userData'] !== undefined ? 'userData' : 'userDataSecret'
  return { ...spec, [field]: { ...(spec[field] as object | undefined), name } }
}
