import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface RealRegistry {
  readonly host: string
  stop(): Promise<void>
}

const found = (program: string): boolean => spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined

/** What is not installed here of a real registry and the tools that push to it. */
export const missing: readonly string[] = ['docker-registry', 'skopeo'].filter(program => !found(program))

/** `user` with password `letmein`, as htpasswd -B writes it. */
const htpasswd = 'user:$2b$04$IQEZwIoKAWzOWH8CGGP9kujCv9M9W.3jNIWiLKLaktyedIqdamjzC\n'

/** CNCF distribution's own registry on a free port, with a password where one is wanted. */
export async function startRegistry(options: { readonly password?: boolean } = {}): Promise<RealRegistry> {
  const folder = mkdtempSync(join(tmpdir(), 'rackwright-registry-'))
  const auth = options.password ? `auth:\n  htpasswd:\n    realm: test\n    path: ${join(folder, 'htpasswd')}\n` : ''
  writeFileSync(join(folder, 'htpasswd'), htpasswd)
  const config = `version: 0.1\nstorage:\n  filesystem:\n    rootdirectory: ${join(folder, 'data')}\nhttp:\n  addr: 127.0.0.1:0\n${auth}`
  writeFileSync(join(folder, 'config.yml'), config)
  const child = spawn('docker-registry', ['serve', join(folder, 'config.yml')], { stdio: ['ignore', 'pipe', 'pipe'] })
  const host = await new Promise<string>((resolve, reject) => {
    let text = ''
    const hear = (chunk: Buffer): void => {
      text += chunk.toString('utf8')
      const port = /listening on 127\.0\.0\.1:(\d+)/.exec(text)?.[1]
      if (port !== undefined) resolve(`127.0.0.1:${port}`)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('exit', code => reject(new Error(`docker-registry ended with ${code}: ${text}`)))
  })
  return {
    host,
    async stop() {
      const ended = new Promise(resolve => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Pushes an image of a layout folder with skopeo, all its architectures. */
export async function skopeoPush(layout: string, name: string, host: string, login?: string): Promise<void> {
  const args = ['copy', '--all', '--insecure-policy', '--dest-tls-verify=false', ...(login === undefined ? [] : ['--dest-creds', login])]
  const child = spawn('skopeo', [...args, `oci:${layout}:${name}`, `docker://${host}/${name}`], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')))
  const code = await new Promise<number | null>(resolve => child.once('exit', resolve))
  if (code !== 0) throw new Error(`skopeo copy failed: ${said}`)
}
