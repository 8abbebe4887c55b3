import type { KubeObject } from '../../core/object.ts'
import { platforms } from '../../policy/boot-images/platforms/index.ts'
import { machineConfiguration } from './machine-configuration.ts'

const name = 'managed-bootimages-platform-check'

/** What somebody is told who opts in where nothing could be kept up to date. */
export const unsupportedPlatform = `managedBootImages is only supported on these platforms: ${platforms.map(({ type }) => type).join(', ')}`

/**
 * Refuses an opt-in on a platform that no plug-in writes to. Made from the platforms themselves, so that it is never behind them. Without
 * an Infrastructure object nobody knows the platform, so that is a refusal, too.
 */
export const admissionPolicy: readonly KubeObject[] = [
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
    spec: {
      failurePolicy: 'Fail',
      paramKind: { apiVersion: 'config.openshift.io/v1', kind: 'Infrastructure' },
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: [machineConfiguration.group],
            apiVersions: [machineConfiguration.version],
            operations: ['CREATE', 'UPDATE'],
            resources: [machineConfiguration.plural],
          },
        ],
      },
      validations: [
        {
          expression: `!has(object.spec.managedBootImages) || (has(params.status) && has(params.status.platformStatus) && has(params.status.platformStatus.type) && params.status.platformStatus.type in [${platforms.map(({ type }) => `'${type}'`).join(', ')}])`,
          message: unsupportedPlatform,
          reason: 'Forbidden',
        },
      ],
    },
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: `${name}-binding` },
    spec: { policyName: name, validationActions: ['Deny'], paramRef: { name: 'cluster', parameterNotFoundAction: 'Deny' } },
  },
]
