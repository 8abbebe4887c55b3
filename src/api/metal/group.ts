/** The group of the kinds that servers are claimed and booted with. */
export const metal = { group: 'metal.ironcore.dev', version: 'v1alpha1' } as const
