import type { Json, JsonObject } from '../../core/json.ts'

/** What the assisted agent of an InfraEnv has to know. */
export interface Discovery {
  /** By which the assisted service knows the InfraEnv. */
  readonly id: string
  readonly serviceUrl: string
  readonly agentImage: string
  readonly proxy?: { readonly httpProxy?: string; readonly httpsProxy?: string; readonly noProxy?: string }
  readonly sshKey?: string
  readonly pullSecret?: string
  readonly trustBundle?: string
  readonly timeServers?: readonly string[]
}

export const agentUnit = 'agent.service'
const program = '/usr/local/bin/agent'
/** Where Ignition puts the unit of the Ironic agent: where that is, it says when the assisted one starts. */
const ironicUnit = '/etc/systemd/system/ironic-agent.service'
const authfile = '/root/.docker/config.json'

/** The assisted agent and what starts it where nobody else does. The agent itself is not enabled: a boot alone does not run it. */
export function discoveryIgnition(discovery: Discovery): JsonObject {
  const { sshKey, pullSecret, trustBundle, timeServers = [] } = discovery
  const files: Json[] = [
    ...(pullSecret === undefined ? [] : [file(authfile, 0o600, pullSecret)]),
    ...(trustBundle === undefined ? [] : [file('/etc/pki/ca-trust/source/anchors/assisted-infraenv.crt', 0o644, trustBundle)]),
    ...(timeServers.length === 0
      ? []
      : [file('/etc/chrony.d/assisted-infraenv.conf', 0o644, timeServers.map(server => `server ${server} iburst\n`).join(''))]),
  ]
  return {
    ignition: { version: '3.1.0' },
    ...(files.length === 0 ? {} : { storage: { files } }),
    ...(sshKey === undefined || sshKey === '' ? {} : { passwd: { users: [{ name: 'core', sshAuthorizedKeys: lines(sshKey) }] } }),
    systemd: {
      units: [
        { name: agentUnit, enabled: false, contents: unit(discovery) },
        { name: 'assisted-autostart.service', enabled: true, contents: autostart },
      ],
    },
  }
}

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')

const file = (path: string, mode: number, content: string): JsonObject => ({
  path,
  mode,
  overwrite: true,
  contents: { source: `data:;base64,${Buffer.from(content).toString('base64')}` },
})

function unit({ id, serviceUrl, agentImage, proxy, pullSecret }: Discovery): string {
  const environment = Object.entries({
    HTTP_PROXY: proxy?.httpProxy,
    HTTPS_PROXY: proxy?.httpsProxy,
    NO_PROXY: proxy?.noProxy,
    PULL_SECRET_FILE: pullSecret === undefined ? undefined : authfile,
  }).flatMap(([name, value]) => (value ? [`Environment="${name}=${value.replace(/["\\\n]/g, '')}"`] : []))
  const login = pullSecret === undefined ? '' : `--authfile ${authfile} `
  return [
    '[Unit]',
    'Description=Assisted agent',
    'After=network-online.target',
    'Wants=network-online.target',
    'StartLimitIntervalSec=0',
    '[Service]',
    'Type=simple',
    'Restart=always',
    'RestartSec=3',
    // Its container is pulled before it runs, which takes longer than the usual 90 s where the line is thin.
    'TimeoutStartSec=1800',
    ...environment,
    `ExecStartPre=/usr/bin/podman run --privileged --rm ${login}-v /usr/local/bin:/hostbin ${agentImage} cp /usr/bin/agent /hostbin`,
    `ExecStart=${program} --url ${serviceUrl} --infra-env-id ${id} --agent-version ${agentImage}`,
    '',
  ].join('\n')
}

/** A unit of its own: a condition on the agent itself would keep the Ironic agent from starting it. */
const autostart = [
  '[Unit]',
  'Description=Starts the assisted agent where no Ironic agent does',
  `ConditionPathExists=!${ironicUnit}`,
  'After=network-online.target',
  'Wants=network-online.target',
  '[Service]',
  'Type=oneshot',
  'RemainAfterExit=yes',
  `ExecStart=/usr/bin/systemctl start ${agentUnit}`,
  '[Install]',
  'WantedBy=multi-user.target',
  '',
].join('\n')
