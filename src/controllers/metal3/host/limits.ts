import type { SeenHost } from './seen.ts'

/** So often the same image is tried, custom deploys included; then it rests until something else is wanted. */
export const provisioningLimit = 5

/** Why a host is not installed any more; undefined where it may be tried. */
export const givenUp = ({ fails, wanted }: Pick<SeenHost, 'fails' | 'wanted'>): string | undefined =>
  wanted !== undefined && fails.of === wanted && fails.count >= provisioningLimit
    ? `installing ${wanted} failed ${fails.count} times and is not tried again: give it another image, or take this one away and set it anew`
    : undefined
