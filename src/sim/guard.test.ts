import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { gzip } from 'node:zlib'
import { expect, it } from 'vitest'
import { describeEscapes, openGuard } from './guard.ts'

async function escapesOf(work: () => unknown): Promise<readonly string[]> {
  const guard = openGuard()
  try {
    await guard.watch(async () => {
      await Promise.resolve()
      await work()
    })
    await guard.turn()
    return guard.escapes.map(({ type }) => type)
  } finally {
    guard.close()
  }
}

it.each([
  ['a timer', () => clearTimeout(setTimeout(() => {}, 1)), 'Timeout'],
  ['an immediate', () => clearImmediate(setImmediate(() => {})), 'Immediate'],
  ['a signal with a time-out', () => void AbortSignal.timeout(1_000), 'Timeout'],
  ['a file', () => readFile(import.meta.filename), 'FSREQPROMISE'],
  ['a compression job', () => promisify(gzip)('text'), 'ZLIB'],
  ['a digest of crypto.subtle', () => crypto.subtle.digest('SHA-256', new Uint8Array(1)), 'HASHREQUEST'],
  [
    'a socket',
    () =>
      connect({ port: 1, host: '127.0.0.1' })
        .on('error', () => {})
        .destroy(),
    'TCPWRAP',
  ],
  ['a channel', () => new MessageChannel().port1.close(), 'MESSAGEPORT'],
  ['a thread', () => new Worker('', { eval: true }).terminate(), 'WORKER'],
])('the guard finds %s', async (_, work, type) => expect(await escapesOf(work)).toContain(type))

it('the guard lets promises, microtasks and ticks pass, and the turns that time itself needs', async () => {
  const guard = openGuard()
  await guard.watch(async () => {
    queueMicrotask(() => {})
    process.nextTick(() => {})
    for (let i = 0; i < 10; i++) await guard.turn()
    await new Promise<void>(resolve => queueMicrotask(resolve))
  })
  guard.close()
  expect(guard.escapes).toEqual([])
})
it('the guard does not mind what others do at the same time', async () => {
  const guard = openGuard()
  const watched = guard.watch(async () => guard.turn())
  await new Promise(resolve => setTimeout(resolve, 1))
  await watched
  guard.close()
  expect(guard.escapes).toEqual([])
})
it('an escape names the place where it began', async () => {
  const guard = openGuard()
  await guard.watch(async () => clearTimeout(setTimeout(() => {}, 1)))
  guard.close()
  expect(describeEscapes(guard.escapes)).toMatch(/Timeout ends outside the microtask queue.*guard\.test\.ts/s)
})
