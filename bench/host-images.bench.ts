import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { statSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { makeLiveIso } from '../src/sim/images/live-iso.ts'
import { servedBy, type Times } from './process.ts'
import { type Benchmark, median, type Result } from './result.ts'
import { inFolder } from './things.ts'

const mebibyte = 1 << 20
const rounds = 5
const fetches = 4
const many = 1_000

/** A thousand images of hosts out of one live ISO of 256 MiB: what they cost, and what serving one costs beside serving the ISO as it is. */
const benchmark: Benchmark = {
  name: 'host-images',
  run: () =>
    inFolder(async folder => {
      const path = join(folder, 'live.iso')
      writeFileSync(path, makeLiveIso({ rootfsBytes: 255 * mebibyte }).bytes)
      const { child, said } = await started(path)
      const { plain, image, memory, ignitions, written, size, each } = JSON.parse(said) as Record<'plain' | 'image', string> &
        Record<string, number>
      try {
        const work = async (url: string): Promise<void> => {
          for (let i = 0; i < fetches; i++) await fetched(url, size!)
        }
        const [ours, theirs]: [Times[], Times[]] = [[], []]
        const [first, firstPlain]: [number[], number[]] = [[], []]
        await work(plain)
        await work(image)
        for (let round = 0; round < rounds; round++) {
          ours.push(await servedBy(child.pid, () => work(image)))
          theirs.push(await servedBy(child.pid, () => work(plain)))
          for (let i = 0; i < 20; i++) first.push(await firstByte(image))
          for (let i = 0; i < 20; i++) firstPlain.push(await firstByte(plain))
        }
        const cpu = (times: readonly Times[]): number => median(times.map(t => t.cpu)) / 1_000 / ((fetches * size!) / (1024 * mebibyte))
        return [
          {
            name: `${many} images, bytes written`,
            ours: written!,
            baseline: size! * many,
            unit: 'bytes',
            target: { atMost: 0, of: 'ours' },
          },
          {
            name: `${many} images, memory beyond 10 MB, against their Ignitions`,
            ours: Math.max(0, memory! - 10e6),
            baseline: ignitions!,
            unit: 'bytes',
            target: { atMost: 1 },
          },
          {
            name: 'serving an image, processor time, against the ISO as it is',
            ours: cpu(ours),
            baseline: cpu(theirs),
            unit: 's/GiB',
            target: { atMost: 1.1 },
          },
          {
            name: 'first byte of an image, against the ISO as it is',
            ours: median(first),
            baseline: median(firstPlain),
            unit: 'ms',
            target: { atMost: 5, of: 'ours' },
          },
          rewritten(folder, path, each!),
        ]
      } finally {
        child.kill('SIGKILL')
      }
    }),
}
export default benchmark

/** What it would cost to write an ISO anew for each host. */
function rewritten(folder: string, path: string, each: number): Result {
  const name = 'processor time to make one image, against xorriso that writes the ISO anew'
  const target = { atMost: 0.05 }
  if (spawnSync('xorriso', ['--version']).error) return { name, ours: each, baseline: { skipped: 'no xorriso' }, unit: 's', target }
  writeFileSync(join(folder, 'config.ign'), '{}')
  const out = join(folder, 'out.iso')
  const timed = spawnSync(
    'bash',
    [
      '-c',
      `TIMEFORMAT='%U %S'; time xorriso -indev "$1" -outdev "$2" -map "$3" /config.ign -commit >/dev/null 2>&1`,
      'x',
      path,
      out,
      join(folder, 'config.ign'),
    ],
    { encoding: 'utf8' },
  )
  const seconds = timed.stderr
    .trim()
    .split(/\s+/)
    .map(Number)
    .reduce((a, b) => a + b, 0)
  const bytes = statSync(out).size
  return { name: `${name} (${Math.round(bytes / mebibyte)} MiB written)`, ours: each, baseline: seconds, unit: 's', target }
}

async function started(path: string): Promise<{ readonly child: ChildProcess; readonly said: string }> {
  const child = spawn(process.execPath, ['--expose-gc', join(import.meta.dirname, 'host-image-child.ts'), path, String(many)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said = await new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString('utf8').trim()))
    child.once('exit', code => reject(new Error(`the server of images ended with ${code}`)))
  })
  return { child, said }
}

const fetched = (url: string, size: number): Promise<void> =>
  new Promise((resolve, reject) => {
    get(url, { agent: false }, response => {
      let seen = 0
      response.on('data', (chunk: Buffer) => (seen += chunk.length))
      response.on('end', () => (seen === size ? resolve() : reject(new Error(`Cannot fetch the image: ${seen} bytes came`))))
    }).once('error', reject)
  })

/** Milliseconds until the first byte of the body is here. */
const firstByte = (url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const began = performance.now()
    get(url, { agent: false, headers: { range: 'bytes=0-0' } }, response => {
      response.once('data', () => resolve(performance.now() - began)).resume()
    }).once('error', reject)
  })
