import { expect } from 'vitest'
import { rootfsOf } from '../../src/sim/machine/coreos-disc.ts'
import { base, liveIso } from '../scenarios/host-images/base.ts'
import type { ImageStudio } from './image-studio.ts'

/** Every machine booted a disc without a root file system, and fetched that from where the disc says. */
export function expectMinimal({ loaded, asked }: ImageStudio): void {
  expect(loaded.length).toBeGreaterThan(0)
  for (const disc of loaded) {
    expect(disc.url).toMatch(/live\.iso$/)
    expect(disc.bytes.length).toBe(liveIso.minimal.length)
    expect(disc.bytes.length).toBeLessThan(liveIso.bytes.length)
    expect(rootfsOf(disc)).toContain(`/host-images/${base.digest}/rootfs.img`)
  }
  expect(asked.filter(url => url === rootfsOf(loaded[0]!))).toHaveLength(loaded.length)
}
