import type { KubeObject } from '../../core/object.ts'

/** A Job of Kubernetes, as far as this program makes, runs or reads one. */
export interface Job extends KubeObject {
  readonly spec: JobSpec
  readonly status?: JobStatus
}

export interface JobSpec {
  readonly backoffLimit?: number
  readonly activeDeadlineSeconds?: number
  readonly ttlSecondsAfterFinished?: number
  readonly suspend?: boolean
  readonly completions?: number
  readonly parallelism?: number
  readonly podFailurePolicy?: PodFailurePolicy
  readonly template: { readonly metadata?: object; readonly spec: PodSpec }
}

/** What an exit code means for the whole Job; the first rule that fits counts. */
export interface PodFailurePolicy {
  readonly rules: readonly {
    readonly action: 'FailJob' | 'Ignore' | 'Count' | 'FailIndex'
    readonly onExitCodes?: { readonly containerName?: string; readonly operator: 'In' | 'NotIn'; readonly values: readonly number[] }
    readonly onPodConditions?: readonly object[]
  }[]
}

export interface PodSpec {
  readonly serviceAccountName?: string
  readonly restartPolicy?: string
  readonly securityContext?: object
  readonly containers: readonly Container[]
  readonly initContainers?: readonly object[]
  readonly volumes?: readonly object[]
  readonly [field: string]: unknown
}

export interface Container {
  readonly name: string
  readonly image: string
  readonly command?: readonly string[]
  readonly args?: readonly string[]
  readonly env?: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: object }[]
  readonly envFrom?: readonly object[]
  readonly volumeMounts?: readonly object[]
  readonly [field: string]: unknown
}

export interface JobStatus {
  readonly active?: number
  readonly ready?: number
  readonly succeeded?: number
  readonly failed?: number
  readonly startTime?: string
  readonly completionTime?: string
  readonly conditions?: readonly {
    readonly type: string
    readonly status: string
    readonly reason?: string
    readonly message?: string
    readonly lastTransitionTime?: string
  }[]
}

/** How a Job ended, by its conditions; undefined while it has not. */
export function jobEnd({ status }: Pick<Job, 'status'>): 'Complete' | 'Failed' | undefined {
  const holds = (type: string): boolean => status?.conditions?.some(one => one.type === type && one.status === 'True') ?? false
  return holds('Complete') ? 'Complete' : holds('Failed') ? 'Failed' : undefined
}
