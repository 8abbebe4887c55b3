import type { Resource } from '../resource.ts'
import { builtin } from './kinds.ts'

const once = { verbs: ['create'], version: 'v1' } as const

/** Questions, not objects: created, answered, never stored. */
export const reviewKinds = (): readonly Resource[] => [
  builtin({ ...once, group: 'authentication.k8s.io', kind: 'TokenReview', plural: 'tokenreviews', namespaced: false }),
  builtin({ ...once, group: 'authentication.k8s.io', kind: 'SelfSubjectReview', plural: 'selfsubjectreviews', namespaced: false }),
  builtin({ ...once, group: 'authorization.k8s.io', kind: 'SubjectAccessReview', plural: 'subjectaccessreviews', namespaced: false }),
  builtin({
    ...once,
    group: 'authorization.k8s.io',
    kind: 'LocalSubjectAccessReview',
    plural: 'localsubjectaccessreviews',
    namespaced: true,
  }),
  builtin({
    ...once,
    group: 'authorization.k8s.io',
    kind: 'SelfSubjectAccessReview',
    plural: 'selfsubjectaccessreviews',
    namespaced: false,
  }),
  builtin({ ...once, group: 'authorization.k8s.io', kind: 'SelfSubjectRulesReview', plural: 'selfsubjectrulesreviews', namespaced: false }),
]
