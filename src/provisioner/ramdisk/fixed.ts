import type { RamdiskFiles, Ramdisks } from '../../ports/provisioner.ts'

/** Ramdisks that somebody set up once, for each architecture; `any` is for those that are not named. */
export const fixedRamdisks = (ramdisks: Readonly<Record<string, RamdiskFiles>>): Ramdisks => ({
  async of({ architecture }) {
    const found = Object.hasOwn(ramdisks, architecture) ? ramdisks[architecture] : ramdisks['any']
    return found ?? { missing: `no ramdisk is set up for ${architecture}` }
  },
})
