import { type Agent, agents, type InfraEnv, infraEnvs } from '../../controllers/assisted/resources.ts'
import { isFalse, isTrue, stamp } from '../../core/condition.ts'
import { isObject } from '../../core/json.ts'
import type { Clock, HttpRequest, HttpResponse, Kube, NewObject, ObjectKey } from '../../ports/index.ts'

export interface AssistedService {
  /** What agents on machines ask; undefined where a request is for somebody else. */
  handler(request: HttpRequest): Promise<HttpResponse | undefined>
  /** A person takes an installed Agent out of its cluster. */
  unbind(key: ObjectKey): Promise<void>
}

const api = /^\/api\/assisted-install\/v2\/infra-envs\/([0-9a-f-]+)\/hosts(?:\/([0-9a-f-]+)\/(instructions|progress))?$/
/** How often an agent asks for instructions. */
const asks = 300

const json = (status: number, body: object): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(body)),
})

/**
 * As much of an assisted service as its agents see: they register and become Agents, wait until somebody approves them and says which
 * cluster they join, are told to install, and report how far they are. It validates nothing and makes no cluster.
 */
export function openAssistedService({ kube, clock }: { readonly kube: Kube; readonly clock: Pick<Clock, 'now'> }): AssistedService {
  const said = async (key: ObjectKey, status: object): Promise<void> => {
    await kube.patch(agents, key, { merge: { status } }, { subresource: 'status' })
  }
  const bound = (agent: Agent | undefined, reason: string) =>
    stamp(
      agent?.status?.conditions,
      [
        (reason === 'Bound' ? isTrue : isFalse)('Bound', reason, ''),
        isTrue('Connected', 'AgentIsConnected', 'The agent’s connection is unimpaired'),
      ],
      clock.now(),
      undefined,
    )

  async function register(infraEnv: InfraEnv, body: unknown): Promise<HttpResponse> {
    const { host_id: name, inventory } = isObject(body) ? body : {}
    if (typeof name !== 'string' || !isObject(inventory)) return json(400, { message: 'host_id and inventory are needed' })
    const { namespace = '', name: env } = infraEnv.metadata
    const key = { name, namespace }
    const cluster = infraEnv.spec?.clusterRef
    const found = await kube.find(agents, key)
    if (!found)
      await kube.create(agents, {
        apiVersion: 'agent-install.openshift.io/v1beta1',
        kind: 'Agent',
        metadata: { ...key, labels: { ...infraEnv.spec?.agentLabels, 'infraenvs.agent-install.openshift.io': env } },
        spec: {
          approved: infraEnv.spec?.agentApproval?.autoApprove ?? false,
          ...(cluster ? { clusterDeploymentName: { name: cluster.name, namespace: cluster.namespace } } : {}),
        },
      } as NewObject<Agent>)
    const belongs = (found?.spec?.clusterDeploymentName ?? cluster) !== undefined
    await said(key, {
      inventory,
      progress: null,
      debugInfo: { state: 'known', stateInfo: belongs ? 'Host is ready to be installed' : 'Host is not bound to a cluster' },
      conditions: bound(found, belongs ? 'Bound' : 'Unbound'),
    })
    return json(201, { id: name, infra_env_id: infraEnv.metadata.uid })
  }

  async function instructions(key: ObjectKey): Promise<HttpResponse> {
    const agent = await kube.find(agents, key)
    if (!agent) return json(404, { message: 'there is no such host' })
    const may = agent.spec?.approved === true && agent.spec.clusterDeploymentName !== undefined
    if (may)
      await said(key, { debugInfo: { state: 'installing', stateInfo: 'Installation is in progress' }, conditions: bound(agent, 'Bound') })
    return json(200, { next_instruction_seconds: asks, ...(may ? { step: 'install' } : {}) })
  }

  return {
    async handler({ method, url, body }) {
      const [, id, host, what] = api.exec(url.split('?', 1)[0] ?? '') ?? []
      if (id === undefined) return undefined
      const { items } = await kube.list(infraEnvs)
      const infraEnv = items.find(({ metadata }) => metadata.uid === id)
      if (!infraEnv) return json(404, { message: 'there is no such infra-env' })
      const given: unknown = body ? JSON.parse(Buffer.from(body).toString('utf8')) : undefined
      if (host === undefined) return method === 'POST' ? register(infraEnv, given) : json(405, {})
      const key = { name: host, namespace: infraEnv.metadata.namespace ?? '' }
      if (what === 'instructions') return instructions(key)
      await said(key, { progress: { currentStage: isObject(given) ? String(given['current_stage']) : '' } })
      return json(200, {})
    },
    async unbind(key) {
      await kube.patch(agents, key, { merge: { spec: { clusterDeploymentName: null } } })
      const agent = await kube.find(agents, key)
      await said(key, {
        progress: null,
        debugInfo: { state: 'unbinding-pending-user-action', stateInfo: 'Host is waiting to be booted from its InfraEnv again' },
        conditions: bound(agent, 'UnbindingPendingUserAction'),
      })
    },
  }
}
