import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Result {
  readonly code: number
  readonly out: string
  readonly err: string
}

export type Kubectl = (args: string | readonly string[], input?: string, env?: Readonly<Record<string, string>>) => Promise<Result>

/** Why kubectl cannot be used here, or undefined where it can. Old ones speak an API of years ago. */
export function noKubectl(): string | undefined {
  try {
    const version = JSON.parse(execFileSync('kubectl', ['version', '--client', '-o', 'json'], { encoding: 'utf8' })) as {
      clientVersion: { minor: string; gitVersion: string }
    }
    const minor = Number.parseInt(version.clientVersion.minor, 10)
    return minor >= 30 ? undefined : `kubectl ${version.clientVersion.gitVersion} is too old; tools/kube/build kubectl makes a current one`
  } catch {
    return 'there is no kubectl in PATH; tools/kube/build kubectl makes one'
  }
}

export function kubectlFor(kubeconfig: string): Kubectl {
  const cache = mkdtempSync(join(tmpdir(), 'rackwright-kubectl-'))
  return (args, input, env = {}) =>
    new Promise((resolve, reject) => {
      const words = typeof args === 'string' ? args.split(' ') : [...args]
      const child = spawn('kubectl', words, {
        env: { ...process.env, KUBECONFIG: kubeconfig, KUBECACHEDIR: cache, HOME: cache, ...env },
        stdio: 'pipe',
        timeout: 180_000,
      })
      let [out, err] = ['', '']
      child.stdout.on('data', chunk => {
        out += chunk
      })
      child.stderr.on('data', chunk => {
        err += chunk
      })
      child.once('error', reject)
      child.once('close', code => resolve({ code: code ?? -1, out, err }))
      child.stdin.end(input ?? '')
    })
}
