import type { Json, JsonObject } from '../../core/json.ts'

export interface AgentSettings {
  /** Where the Ironic agent finds us. */
  readonly apiUrl: string
  readonly callbackUrl: string
  /** The container image of the agent. */
  readonly image: string
  /** PEM of the authority that signed our certificate. */
  readonly authority?: string | undefined
  readonly sshKeys?: readonly string[] | undefined
  /** Content of a registry authfile, for the agent's image. */
  readonly pullSecret?: string | undefined
}

/** NetworkManager's own files, by their names. */
export type Keyfiles = readonly { readonly name: string; readonly content: string }[]

const spec = '3.2.0'
const config = '/etc/ironic-python-agent.conf'
const authority = '/etc/rackwright/agent-ca.pem'
const authfile = '/etc/authfile.json'

/** What makes a CoreOS live system an Ironic agent: its settings, and the unit that runs it. */
export function agentIgnition(settings: AgentSettings, host: string, keyfiles: Keyfiles): JsonObject {
  const { sshKeys = [], pullSecret } = settings
  const files: Json[] = [
    file(config, 0o644, agentConfig(settings, keyfiles.length > 0)),
    ...(settings.authority === undefined ? [] : [file(authority, 0o644, settings.authority)]),
    ...(pullSecret === undefined ? [] : [file(authfile, 0o600, pullSecret)]),
    ...keyfiles.map(({ name, content }) => file(`/etc/NetworkManager/system-connections/${name}`, 0o600, content)),
  ]
  return {
    ignition: { version: spec },
    storage: { files },
    systemd: { units: [{ name: 'ironic-agent.service', enabled: true, contents: unit(settings, host, keyfiles.length > 0) }] },
    ...(sshKeys.length === 0 ? {} : { passwd: { users: [{ name: 'core', sshAuthorizedKeys: [...sshKeys] }] } }),
  }
}

const file = (path: string, mode: number, content: string): JsonObject => ({
  path,
  mode,
  overwrite: true,
  contents: { source: `data:;base64,${Buffer.from(content).toString('base64')}` },
})

const agentConfig = ({ apiUrl, callbackUrl, authority: pem }: AgentSettings, hasNetwork: boolean): string =>
  [
    '[DEFAULT]',
    `api_url = ${apiUrl}`,
    `inspection_callback_url = ${callbackUrl}`,
    ...(pem === undefined ? [] : [`cafile = ${authority}`]),
    // Where nobody described the network, the agent looks at every VLAN by itself.
    `enable_vlan_interfaces = ${hasNetwork ? '' : 'all'}`,
    '',
  ].join('\n')

/** Restarted for ever: an agent that gave up could never be told anything again. */
const unit = ({ image, pullSecret }: AgentSettings, host: string, hasNetwork: boolean): string => {
  const run = [
    '/bin/podman run --rm --privileged --network host --name ironic-agent',
    `-v ${config}:/etc/ironic-python-agent/ironic-python-agent.conf:ro,Z -v ${authority.replace(/\/[^/]*$/, '')}:${authority.replace(/\/[^/]*$/, '')}:ro`,
    '-v /run/dbus/system_bus_socket:/run/dbus/system_bus_socket -v /:/mnt/coreos -v /run/udev:/run/udev -v /dev:/dev -v /sys:/sys',
    `-e IPA_COREOS_COPY_NETWORK=${hasNetwork} -e IPA_DEFAULT_HOSTNAME=${host}`,
    ...(pullSecret === undefined ? [] : [`--authfile=${authfile}`]),
    image,
  ]
  return [
    '[Unit]',
    'Description=Ironic agent, by Rackwright',
    'After=network-online.target',
    'Wants=network-online.target',
    'StartLimitIntervalSec=0',
    '[Service]',
    'TimeoutStartSec=0',
    'Restart=on-failure',
    'RestartSec=5',
    `ExecStartPre=-/bin/podman rm --force ironic-agent`,
    `ExecStartPre=/bin/mkdir -p ${authority.replace(/\/[^/]*$/, '')}`,
    `ExecStart=${run.join(' ')}`,
    '[Install]',
    'WantedBy=multi-user.target',
    '',
  ].join('\n')
}
