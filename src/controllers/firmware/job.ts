import type { Job } from '../../api/batch/job.ts'
import type { KubeObject } from '../../core/object.ts'
import type { NewObject } from '../../ports/index.ts'
import { madeByUs, us } from './resources.ts'
import type { Runner } from './runner.ts'
import { programLabel, serverLabel } from './target/names.ts'
import type { Program, Target } from './target/subject.ts'

/** Where what a JobRunner refers to is found inside. */
const configPath = '/etc/rackwright/job'

/** The Job that runs a program for an object: everything that an executor is promised. */
export function jobOf(
  target: Target & KubeObject,
  name: string,
  program: Program,
  { name: runner, namespace, spec }: Runner,
  manager: string,
): NewObject<Job> {
  const { metadata } = target
  const labels = { [madeByUs]: us, [programLabel]: program, [serverLabel]: target.spec.serverRef.name.slice(0, 63) }
  const env = {
    RACKWRIGHT_TARGET_KIND: target.kind,
    RACKWRIGHT_TARGET_NAME: metadata.name,
    RACKWRIGHT_TARGET_UID: metadata.uid ?? '',
    RACKWRIGHT_JOB_NAME: name,
    RACKWRIGHT_JOB_NAMESPACE: namespace,
    RACKWRIGHT_JOB_RUNNER: runner,
    RACKWRIGHT_MANAGER_NAMESPACE: manager,
  }
  const config = spec.configRef
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name,
      namespace,
      labels,
      ownerReferences: [
        {
          apiVersion: target.apiVersion,
          kind: target.kind,
          name: metadata.name,
          uid: metadata.uid ?? '',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      backoffLimit: spec.backoffLimit,
      activeDeadlineSeconds: spec.activeDeadlineSeconds,
      ttlSecondsAfterFinished: spec.ttlSecondsAfterFinished,
      // What was refused for good, or stopped, is not tried again by Kubernetes.
      podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: { containerName: 'job', operator: 'In', values: [2, 3] } }] },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: spec.serviceAccountName,
          automountServiceAccountToken: true,
          restartPolicy: 'Never',
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [
            {
              name: 'job',
              image: spec.image,
              args: ['job', program],
              env: Object.entries(env).map(([key, value]) => ({ name: key, value })),
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                capabilities: { drop: ['ALL'] },
              },
              ...(config ? { volumeMounts: [{ name: 'config', mountPath: configPath, readOnly: true }] } : {}),
            },
          ],
          ...(config
            ? {
                volumes: [
                  {
                    name: 'config',
                    ...(config.kind === 'Secret' ? { secret: { secretName: config.name } } : { configMap: { name: config.name } }),
                  },
                ],
              }
            : {}),
        },
      },
    },
  }
}
