/** Objects that the contract's cases start from; each names only what matters. */
export const configMap = (name: string, more: Record<string, unknown> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  ...more,
})
export const secret = (name: string, more: Record<string, unknown> = {}) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name },
  ...more,
})
export const namespace = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
export const cms = (ns: string) => `/api/v1/namespaces/${ns}/configmaps`

/** A small kind with everything a schema can say: defaults, enums, list-maps, preserved fields, a status. */
export function widgetCrd(group: string) {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', shortNames: ['wd'], categories: ['contract'] },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
          schema: {
            openAPIV3Schema: {
              type: 'object',
              required: ['spec'],
              properties: {
                spec: {
                  type: 'object',
                  required: ['size'],
                  properties: {
                    size: { type: 'integer', minimum: 1, maximum: 100 },
                    color: { type: 'string', enum: ['red', 'green'], default: 'red' },
                    port: { 'x-kubernetes-int-or-string': true },
                    note: { type: 'string', nullable: true, maxLength: 20 },
                    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                    tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
                    slots: {
                      type: 'array',
                      'x-kubernetes-list-type': 'map',
                      'x-kubernetes-list-map-keys': ['id'],
                      items: {
                        type: 'object',
                        required: ['id'],
                        properties: { id: { type: 'string' }, size: { type: 'integer', default: 1 } },
                      },
                    },
                  },
                },
                status: {
                  type: 'object',
                  properties: { phase: { type: 'string' }, observedGeneration: { type: 'integer', format: 'int64' } },
                },
              },
            },
          },
        },
      ],
    },
  }
}

export const widget = (group: string, name: string, spec: Record<string, unknown> = { size: 3 }, more: Record<string, unknown> = {}) => ({
  apiVersion: `${group}/v1`,
  kind: 'Widget',
  metadata: { name },
  spec,
  ...more,
})
