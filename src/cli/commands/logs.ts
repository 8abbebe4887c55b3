import { Fault } from '../../core/fault.ts'
import { withTransport } from '../api.ts'
import type { Options } from '../catalogue/command.ts'
import { managerNamespace } from '../compose/manager-namespace.ts'

/** What a Job said that this host ran. On a cluster its pod has the log, and kubectl reads it. */
export async function logs(options: Options, name = ''): Promise<number> {
  const job = name.replace(/^jobs?\//, '')
  const namespace = typeof options['namespace'] === 'string' ? options['namespace'] : managerNamespace
  return withTransport(options, async transport => {
    const url = `/rackwright/jobs/${encodeURIComponent(namespace)}/${encodeURIComponent(job)}/log`
    const { status, body } = await transport({ method: 'GET', url, headers: {} })
    if (status === 200 && body instanceof Uint8Array) {
      process.stdout.write(body)
      return 0
    }
    throw new Fault('cli/no-log', `Cannot read the log of Job ${namespace}/${job}: the API answered ${status}`, 'never', {
      hint: `-n names another namespace; on a cluster: kubectl logs -n ${namespace} job/${job}`,
    })
  })
}
