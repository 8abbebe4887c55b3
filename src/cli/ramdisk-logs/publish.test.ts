import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silent } from '../../ports/index.ts'
import { usual } from '../install/values.ts'
import { workloads } from '../install/workloads.ts'
import { ramdiskLogs } from './kept.ts'
import { publishLogs } from './publish.ts'

interface Container {
  readonly name: string
  readonly args: readonly string[]
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
}
interface Deployment {
  readonly template: {
    readonly spec: { readonly containers: readonly Container[]; readonly volumes: readonly { readonly name: string }[] }
  }
}

/** One entry of a tar, as tar writes it. */
function entry(name: string, text: string, kind = '0'): Buffer {
  const bytes = Buffer.from(text)
  const head = Buffer.alloc(512)
  head.write(name, 0)
  head.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124)
  head.write(kind, 156)
  return Buffer.concat([head, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)])
}
const archive = (...entries: readonly Buffer[]): Buffer => gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)]))

describe('what ramdisks wrote', () => {
  let folder: string
  const said: string[] = []
  const publish = () => publishLogs(folder, line => void said.push(line))
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ramdisk-logs-'))
    said.length = 0
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('ZT-047 T-73 is told by a container of that name beside the controllers, from the folder that they write to', () => {
    const pods = workloads(usual).map(({ metadata, spec }) => ({ of: metadata.name, ...(spec as unknown as Deployment).template.spec }))
    const [pod] = pods.filter(({ containers }) => containers.some(({ name }) => name === 'ironic-ramdisk-logs'))
    const [controllers, told] = pod?.containers ?? []
    expect([pod?.of, told?.name]).toEqual(['rackwright-controllers', 'ironic-ramdisk-logs'])
    const folder = controllers?.args[controllers.args.indexOf('--ramdisk-logs') + 1]
    expect(told?.args).toEqual(['ramdisk-logs', folder])
    const mounted = (container: Container | undefined) => container?.volumeMounts.find(({ mountPath }) => mountPath === folder)?.name
    expect([mounted(controllers), pod?.volumes.some(({ name }) => name === mounted(told))]).toEqual([mounted(told), true])
  })
  it('ZT-047 is told line by line with its host, its try and its file, once, and then taken away', async () => {
    const logs = ramdiskLogs(join(folder, 'logs'), silent)
    await logs.keep(
      { namespace: 'edge', name: 'worker-0', attempt: 3 },
      archive(entry('journal', 'agent started\nstep failed\n'), entry('ps', 'PID 1')),
    )
    expect(await publishLogs(join(folder, 'logs'), line => void said.push(line))).toBe(1)
    expect(said).toEqual([
      'edge/worker-0 try 3 journal: agent started',
      'edge/worker-0 try 3 journal: step failed',
      'edge/worker-0 try 3 ps: PID 1',
    ])
    expect(readdirSync(join(folder, 'logs'))).toEqual([])
    expect(await publishLogs(join(folder, 'logs'), () => undefined)).toBe(0)
  })

  it('ZT-047 is waited for while it is being written, and while there is no folder', async () => {
    writeFileSync(join(folder, 'edge_a_1.tar.gz.incoming'), 'half')
    expect(await publish()).toBe(0)
    expect(readdirSync(folder)).toHaveLength(1)
    expect(await publishLogs(join(folder, 'nowhere'), () => undefined)).toBe(0)
  })

  it('S18 moves no cursor and writes no file, whatever it is called and says', async () => {
    const clears = '\u001b[2J'
    writeFileSync(join(folder, 'edge_a_1.tar.gz'), archive(entry('../../etc/passwd', `${clears}gone`), entry('link', '', '2')))
    await publish()
    expect(said).toEqual(['edge/a try 1 ../../etc/passwd: ?[2Jgone'])
    expect(readdirSync(folder)).toEqual([])
  })

  it('S18 that cannot be read says so in a line, and is not tried for ever', async () => {
    writeFileSync(join(folder, 'edge_a_1.tar.gz'), 'no archive')
    writeFileSync(join(folder, 'edge_a_2.tar.gz'), gzipSync(entry('journal', 'x').subarray(0, 512)))
    writeFileSync(join(folder, 'edge_a_3.tar.gz'), gzipSync(Buffer.alloc((64 << 20) + 1)))
    await publish()
    expect(said).toEqual([
      'edge_a_1.tar.gz: Cannot unpack the archive: it is no gzip of 64 MiB at most',
      'edge_a_2.tar.gz: Cannot read the archive: a file in it ends behind its end',
      'edge_a_3.tar.gz: Cannot unpack the archive: it is no gzip of 64 MiB at most',
    ])
    expect(readdirSync(folder)).toEqual([])
  })
})
