export const metal3 = { group: 'metal3.io', version: 'v1alpha1' } as const
