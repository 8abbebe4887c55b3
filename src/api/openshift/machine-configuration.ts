import { kind } from '../kind.ts'
import { listMap, object, oneOf, optional, rule } from '../schema.ts'
import { conditions, labelSelector, observedGeneration } from '../shapes.ts'

export const machineResources = ['machinesets', 'machinedeployments'] as const
export const machineGroups = ['machine.openshift.io', 'cluster.x-k8s.io'] as const

const selection = () =>
  rule(
    object(
      {
        mode: oneOf(['All', 'Partial', 'None'], 'All of them, those that the selector finds, or none.'),
        partial: optional(
          object(
            { machineResourceSelector: labelSelector('Which of them, by their own labels. An empty selector finds all.') },
            'Which of them; with mode Partial only.',
          ),
        ),
      },
      'Which of them are kept up to date.',
    ),
    "self.mode == 'Partial' ? has(self.partial) : !has(self.partial)",
    'partial is required when mode is Partial, and forbidden otherwise',
  )

const managers = () =>
  listMap(
    ['resource', 'apiGroup'],
    rule(
      object(
        {
          resource: oneOf(machineResources, 'What makes machines.'),
          apiGroup: oneOf(machineGroups, 'Whose: the Machine API’s or the Cluster API’s.'),
          selection: selection(),
        },
        'One kind of machine resources.',
      ),
      "self.resource != 'machinedeployments' || self.apiGroup == 'cluster.x-k8s.io'",
      'machinedeployments are of cluster.x-k8s.io',
    ),
    'Which machine resources are kept up to date; each kind once.',
  )

const managed = (description: string) => object({ machineManagers: optional(managers()) }, description)

/** Only what we read and write of it: where a cluster has its own definition, that one stays. */
export const machineConfiguration = kind({
  group: 'operator.openshift.io',
  version: 'v1',
  kind: 'MachineConfiguration',
  plural: 'machineconfigurations',
  categories: [],
  scope: 'Cluster',
  description:
    'How machines are configured, as one object called cluster. managedBootImages says which machine resources are kept at the boot image of the running release; without it nothing is changed.',
  fields: {
    spec: object(
      {
        managedBootImages: optional(managed('Which boot images are kept up to date.')),
        managementState: optional(oneOf(['Managed', 'Unmanaged', 'Force', 'Removed'], 'Whether an operator manages it.')),
      },
      'What is wanted.',
      { 'x-kubernetes-preserve-unknown-fields': true },
    ),
    status: optional(
      object(
        {
          managedBootImagesStatus: optional(managed('What is kept up to date in fact.')),
          observedGeneration: optional(observedGeneration()),
          conditions: optional(conditions()),
        },
        'What became of it.',
        { 'x-kubernetes-preserve-unknown-fields': true },
      ),
    ),
  },
  columns: [
    { name: 'Progressing', type: 'string', jsonPath: '.status.conditions[?(@.type=="BootImageUpdateProgressing")].status' },
    { name: 'Degraded', type: 'string', jsonPath: '.status.conditions[?(@.type=="BootImageUpdateDegraded")].status' },
  ],
  example: {
    metadata: { name: 'cluster' },
    spec: {
      managedBootImages: {
        machineManagers: [{ resource: 'machinesets', apiGroup: 'machine.openshift.io', selection: { mode: 'All' } }],
      },
    },
  },
})
