import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { openSqliteStore } from '../../apiserver/store/sqlite.ts'
import { Fault } from '../../core/fault.ts'
import { wholeBody } from '../../kube/exchange.ts'
import { connect, loadConnection } from '../../kube/index.ts'
import { wallClock } from '../../net/wall-clock.ts'
import { silent } from '../../ports/index.ts'
import { type Home, homeAt } from '../home.ts'
import { isRunning } from '../running.ts'

/** A consistent copy: a running server is asked for it, a stopped one's store is opened. */
export async function backup(options: Readonly<Record<string, unknown>>, file?: string): Promise<number> {
  const home = homeAt(options)
  const target = resolve(file ?? join(home.backups, `rackwright-${Date.now()}.db`))
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  const revision = isRunning(home) ? await ofRunning(home, target) : await ofStopped(home, target)
  console.log(`Wrote ${target}, the state at revision ${revision}.`)
  console.log(`Secrets in it are sealed: keep ${join(home.pki, 'secrets.key')} as well, in another place.`)
  return 0
}

async function ofStopped(home: Home, target: string): Promise<number> {
  const store = await openSqliteStore(home.store, { log: silent })
  try {
    return await store.backup(target)
  } finally {
    await store.close()
  }
}

async function ofRunning(home: Home, target: string): Promise<number> {
  const transport = connect(await loadConnection({ file: home.kubeconfig }), wallClock)
  const response = await transport({ method: 'POST', url: '/rackwright/backup', headers: {} })
  const answer = JSON.parse(Buffer.from(await wholeBody(response.body)).toString('utf8')) as {
    file?: string
    revision?: number
    message?: string
  }
  if (response.status !== 201 || answer.file === undefined) {
    throw new Fault('backup/refused', `Cannot take a backup of the running server: ${answer.message ?? `it answered ${response.status}`}`)
  }
  await transport.close()
  // The server writes beside its own state; the copy goes where it was asked for.
  if (answer.file !== target) {
    copyFileSync(answer.file, target)
    rmSync(answer.file)
  }
  return answer.revision ?? 0
}
