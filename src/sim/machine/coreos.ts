import { isObject } from '../../core/json.ts'
import type { AssistedSettings, Step } from './world.ts'

interface Config {
  readonly systemd?: { readonly units?: readonly { readonly name: string; readonly enabled?: boolean; readonly contents?: string }[] }
  readonly storage?: { readonly files?: readonly { readonly path: string; readonly contents?: { readonly source?: string } }[] }
}

/** What a live CoreOS does that finds this Ignition: it runs the agents that its units start, in the way that the units say. */
export function coreosProgram(ignition: unknown, commandLine = ''): readonly Step[] {
  const { systemd, storage } = (isObject(ignition) ? ignition : {}) as Config
  const units = systemd?.units ?? []
  const starts = (name: string): boolean => units.some(unit => unit.name === name && unit.enabled === true)
  const assisted = assistedIn(units.find(({ name }) => name === 'agent.service')?.contents)
  if (starts('ironic-agent.service')) {
    const config = textOf(storage?.files?.find(({ path }) => path === '/etc/ironic-python-agent.conf')?.contents?.source)
    const setting = (name: string): string => new RegExp(`^${name} = (.*)$`, 'm').exec(config)?.[1] ?? ''
    const [, token] = /(?:^| )ipa-agent-token=(\S+)/.exec(commandLine) ?? []
    return [
      {
        do: 'ironic-agent',
        url: setting('api_url'),
        callback: setting('inspection_callback_url'),
        ...(token === undefined ? {} : { token }),
        ...(assisted ? { assisted: { ...assisted, runs: starts('agent.service') } } : {}),
      },
    ]
  }
  const started = starts('agent.service') || starts('assisted-autostart.service')
  return started && assisted ? [{ do: 'assisted-agent', assisted }] : []
}

/** As its unit says it. */
function assistedIn(unit: string | undefined): AssistedSettings | undefined {
  const [, url, infraEnv] = /^ExecStart=\S+ --url (\S+) --infra-env-id (\S+)/m.exec(unit ?? '') ?? []
  return url === undefined || infraEnv === undefined ? undefined : { url, infraEnv, runs: false }
}

const textOf = (source = ''): string => Buffer.from(source.split('base64,')[1] ?? '', 'base64').toString()
