import { accessSync, constants, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Fault } from '../core/fault.ts'

/** Where this instance keeps everything it must remember. */
export interface Home {
  readonly root: string
  readonly kubeconfig: string
  readonly data: string
  readonly store: string
  readonly pki: string
  readonly logs: string
  readonly backups: string
}

export function homeAt(options: Readonly<Record<string, unknown>>, env: NodeJS.ProcessEnv = process.env): Home {
  const given = typeof options['home'] === 'string' ? options['home'] : env['RACKWRIGHT_HOME']
  const root = resolve(given || '.rackwright')
  return {
    root,
    kubeconfig: join(root, 'kubeconfig'),
    data: join(root, 'data'),
    store: join(root, 'data', 'store'),
    pki: join(root, 'data', 'pki'),
    logs: join(root, 'logs'),
    backups: join(root, 'backups'),
  }
}

/** Makes the folders, readable by their owner alone. */
export function prepareHome(home: Home): void {
  try {
    for (const folder of [home.root, home.data, home.store, home.pki, home.logs]) mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(home.store, constants.W_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Fault('home/not-writable', `Cannot keep state in ${home.root}: the folder is not writable (${code})`, 'never', {
      hint: 'choose another folder with --home or RACKWRIGHT_HOME, or make this one writable for you',
      cause: error,
    })
  }
}
