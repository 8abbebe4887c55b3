import type { Cause } from '../../api/status.ts'
import { isObject, sameJson } from '../../core/json.ts'
import type { KubeObject } from '../../core/object.ts'
import type { Resource } from '../resource.ts'
import { builtin, statusOf } from './kinds.ts'

type Part = Record<string, unknown>
const part = (object: Part | KubeObject, key: string): Part => (isObject(object[key]) ? object[key] : {})
const list = (value: unknown): readonly Part[] => (Array.isArray(value) ? value.filter(isObject) : [])

export const batchKinds = (): readonly Resource[] => [
  builtin({
    group: 'batch',
    version: 'v1',
    kind: 'Job',
    plural: 'jobs',
    namespaced: true,
    categories: ['all'],
    subresources: [statusOf('Job')],
    hasGeneration: true,
    fields: { 'status.successful': o => String(part(o, 'status')['succeeded'] ?? 0) },
    prepare: prepareJob,
    validate: jobRules,
  }),
]

/** What Kubernetes fills into a Job: its counts, its selector by uid, and the labels that tie pods to it. */
function prepareJob(object: KubeObject, old: KubeObject | undefined): KubeObject {
  const spec = part(object, 'spec')
  const template = part(spec, 'template')
  const ownLabels = old ? {} : trackingLabels(object)
  const manual = spec['manualSelector'] === true
  const counts =
    spec['completions'] === undefined && spec['parallelism'] === undefined
      ? { completions: 1, parallelism: 1 }
      : { parallelism: spec['parallelism'] ?? 1 }
  const labels = manual ? {} : ownLabels
  return {
    ...object,
    metadata: old ? object.metadata : { ...object.metadata, labels: { ...labels, ...object.metadata.labels } },
    spec: {
      backoffLimit: 6,
      completionMode: 'NonIndexed',
      suspend: false,
      podReplacementPolicy: 'TerminatingOrFailed',
      ...(manual || old ? {} : { selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': object.metadata.uid } } }),
      ...spec,
      ...counts,
      ...(old ? { selector: spec['selector'] ?? part(old, 'spec')['selector'] } : {}),
      template: {
        ...template,
        metadata: { ...part(template, 'metadata'), labels: { ...labels, ...part(part(template, 'metadata'), 'labels') } },
        spec: preparePod(part(template, 'spec')),
      },
    },
  }
}

const trackingLabels = (object: KubeObject): Readonly<Record<string, string>> => ({
  'batch.kubernetes.io/controller-uid': object.metadata.uid ?? '',
  'batch.kubernetes.io/job-name': object.metadata.name,
  'controller-uid': object.metadata.uid ?? '',
  'job-name': object.metadata.name,
})

function preparePod(pod: Part): Part {
  const containers = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(c =>
          isObject(c)
            ? {
                imagePullPolicy: pullPolicy(c['image']),
                terminationMessagePath: '/dev/termination-log',
                terminationMessagePolicy: 'File',
                resources: {},
                ...c,
              }
            : c,
        )
      : value
  return {
    dnsPolicy: 'ClusterFirst',
    schedulerName: 'default-scheduler',
    securityContext: {},
    terminationGracePeriodSeconds: 30,
    ...pod,
    ...(pod['containers'] === undefined ? {} : { containers: containers(pod['containers']) }),
    ...(pod['initContainers'] === undefined ? {} : { initContainers: containers(pod['initContainers']) }),
  }
}

const pullPolicy = (image: unknown): string =>
  typeof image === 'string' && /:[^/:]+$/.test(image) && !image.endsWith(':latest') ? 'IfNotPresent' : 'Always'

function jobRules(object: KubeObject, old: KubeObject | undefined): Cause[] {
  const causes: Cause[] = []
  const spec = part(object, 'spec')
  const pod = part(part(spec, 'template'), 'spec')
  if (pod['restartPolicy'] !== 'Never' && pod['restartPolicy'] !== 'OnFailure') {
    const shown =
      pod['restartPolicy'] === undefined
        ? 'Required value: valid values: "OnFailure", "Never"'
        : `Unsupported value: ${JSON.stringify(pod['restartPolicy'])}: supported values: "OnFailure", "Never"`
    causes.push({
      reason: pod['restartPolicy'] === undefined ? 'FieldValueRequired' : 'FieldValueNotSupported',
      message: shown,
      field: 'spec.template.spec.restartPolicy',
    })
  }
  if (list(pod['containers']).length === 0)
    causes.push({ reason: 'FieldValueRequired', message: 'Required value', field: 'spec.template.spec.containers' })
  for (const field of ['parallelism', 'completions', 'backoffLimit', 'activeDeadlineSeconds', 'ttlSecondsAfterFinished']) {
    const value = spec[field]
    if (typeof value === 'number' && value < 0)
      causes.push({
        reason: 'FieldValueInvalid',
        message: `Invalid value: ${value}: must be greater than or equal to 0`,
        field: `spec.${field}`,
      })
  }
  if (old) {
    for (const field of ['selector', 'template', 'completionMode', 'podFailurePolicy'] as const) {
      if (!sameJson(spec[field], part(old, 'spec')[field]))
        causes.push({ reason: 'FieldValueInvalid', message: 'Invalid value: field is immutable', field: `spec.${field}` })
    }
  }
  return causes
}
