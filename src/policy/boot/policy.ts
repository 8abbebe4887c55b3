/** How a server boots, as claims, boot configurations and maintenance templates say it. */
export interface BootPolicy {
  readonly firstBoot: FirstBoot
  readonly boot: RegularBoot
}
export type FirstBoot = 'Pxe' | 'UefiHttp' | 'VirtualMedia'
export type RegularBoot = 'Hdd' | 'Network'

/** One rule for claim, configuration and template alike: what is left out is what servers did before there was a policy. */
export const effectivePolicy = (given: { readonly firstBoot?: FirstBoot; readonly boot?: RegularBoot } | undefined): BootPolicy => ({
  firstBoot: given?.firstBoot ?? 'Pxe',
  boot: given?.boot ?? 'Hdd',
})
