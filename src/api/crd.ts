import type { KubeObject } from '../core/object.ts'
import { type Kind, kindSchema } from './kind.ts'

/** On every CRD of ours: whoever installed it, it is one that we know. CRDs without it belong to somebody else. */
export const installedLabel: Readonly<Record<string, string>> = { 'app.kubernetes.io/part-of': 'rackwright' }

/** By the first clusterctl looks at a kind at all, by the second it moves all objects of it, whoever owns them. */
const movedLabels: Readonly<Record<string, string>> = { 'clusterctl.cluster.x-k8s.io': '', 'clusterctl.cluster.x-k8s.io/move': '' }

/** The CustomResourceDefinition of a kind, ready to apply to any Kubernetes. */
export function crdOf(kind: Kind): KubeObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${kind.plural}.${kind.group}`, labels: kind.moves ? { ...installedLabel, ...movedLabels } : installedLabel },
    spec: {
      group: kind.group,
      names: {
        kind: kind.kind,
        listKind: `${kind.kind}List`,
        plural: kind.plural,
        singular: kind.kind.toLowerCase(),
        ...(kind.shortNames.length > 0 ? { shortNames: kind.shortNames } : {}),
        ...(kind.categories.length > 0 ? { categories: kind.categories } : {}),
      },
      scope: kind.scope,
      versions: [
        {
          name: kind.version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: kindSchema(kind) },
          ...(Object.hasOwn(kind.fields, 'status') ? { subresources: { status: {} } } : {}),
          additionalPrinterColumns: [...kind.columns, age],
        },
      ],
    },
  }
}

const age = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' } as const
