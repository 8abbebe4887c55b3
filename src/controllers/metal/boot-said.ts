import type { ServerBootConfiguration } from './resources.ts'

type Said = Pick<ServerBootConfiguration['spec'], 'image' | 'ignitionSecretRef' | 'bootPolicy'>

/** A merge patch that makes a configuration say this and nothing else: what is not said any more is taken away, also within the policy. */
export const saidAnew = ({ image, ignitionSecretRef, bootPolicy }: Said) => ({
  image: image ?? null,
  ignitionSecretRef: ignitionSecretRef ?? null,
  bootPolicy: bootPolicy ? { provisionedWhen: null, unexpectedBoot: null, ...bootPolicy } : null,
})
