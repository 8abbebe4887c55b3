import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Base } from '../../src/boot/host-images/base.ts'
import { openLiveBases } from '../../src/cli/compose/live-bases.ts'
import { Fault } from '../../src/core/fault.ts'
import { wallClock } from '../../src/net/wall-clock.ts'
import { silent } from '../../src/ports/index.ts'
import { makeLiveIso } from '../../src/sim/images/live-iso.ts'

it('ZT-021 a live ISO that is missing or for another architecture keeps nobody from starting, and is tried until it can be used', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackwright-bases-'))
  const path = join(folder, 'live.iso')
  const found: string[] = []
  /** The minutes between two tries, each ended by the test. */
  const minutes: (() => void)[] = []
  let heard = (): void => {}
  const clock = {
    ...wallClock,
    sleep: (_: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        minutes.push(resolve)
        signal?.addEventListener('abort', () => reject(signal.reason as Error))
        heard()
      }),
  }
  const shelf = {
    add(architecture: string, base: Base | Fault): void {
      found.push(`${architecture} ${base instanceof Fault ? base.message : 'can be used'}`)
      if (!(base instanceof Fault)) heard()
    },
  }
  const next = async (): Promise<string | undefined> => {
    const told = new Promise<void>(resolve => (heard = resolve))
    minutes.shift()?.()
    await told
    return found.at(-1)
  }
  const bases = await openLiveBases({ clock, log: silent, shelf }, 'https://boot.example', { x86_64: path })
  expect(found).toEqual([`x86_64 Cannot make images for x86_64: ${path} cannot be read`])
  writeFileSync(path, makeLiveIso({ files: { 'EFI/BOOT/BOOTAA64.EFI': Buffer.from('MZ') } }).bytes)
  expect(await next()).toContain('the live ISO is for aarch64')
  writeFileSync(path, makeLiveIso().bytes)
  expect(await next()).toBe('x86_64 can be used')
  await bases.close()
  // One that never can be used keeps nobody from stopping, either.
  await (await openLiveBases({ clock, log: silent, shelf }, 'https://boot.example', { x86_64: join(folder, 'none') })).close()
  rmSync(folder, { recursive: true })
})
