import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/json.ts'
import { discoveryIgnition } from './discovery-ignition.ts'
import { notStarted } from './not-started.ts'

interface Unit {
  readonly name: string
  readonly enabled: boolean
  readonly contents: string
}
const unitsOf = (ignition: JsonObject): readonly Unit[] => (ignition['systemd'] as unknown as { units: Unit[] }).units
const rendered = discoveryIgnition({ id: 'env-1', serviceUrl: 'https://assisted.example', agentImage: 'agent:1' })
const [agent, autostart] = unitsOf(rendered)

describe('discoveryIgnition()', () => {
  it('ZT-038 does not enable the agent, and puts no condition on it: whoever is to start it could not', () => {
    expect([agent?.name, agent?.enabled]).toEqual(['agent.service', false])
    expect(agent?.contents).not.toContain('Condition')
    expect(agent?.contents).not.toContain('[Install]')
    expect(agent?.contents).toContain('--url https://assisted.example --infra-env-id env-1 ')
  })
  it('ZT-046 lets the agent pull its container for half an hour before it counts as one that does not start', () =>
    expect(agent?.contents).toMatch(/\[Service\][^[]*\nTimeoutStartSec=1800\n/))
  it('ZT-003 ZT-039 starts it by a unit of its own where there is no Ironic agent', () => {
    expect(autostart?.enabled).toBe(true)
    expect(autostart?.contents).toContain('ConditionPathExists=!/etc/systemd/system/ironic-agent.service\n')
    expect(autostart?.contents).toContain('systemctl start agent.service')
  })
  it('writes what the InfraEnv says: keys, pull secret, certificates, time, proxy', () => {
    const text = JSON.stringify(
      discoveryIgnition({
        id: 'e',
        serviceUrl: 's',
        agentImage: 'i',
        sshKey: 'ssh-ed25519 A\nssh-ed25519 B\n',
        pullSecret: '{}',
        trustBundle: 'PEM',
        timeServers: ['ntp.example'],
        proxy: { httpsProxy: 'http://p"\nExecStart=/bin/evil' },
      }),
    )
    for (const part of ['"ssh-ed25519 A","ssh-ed25519 B"', '/root/.docker/config.json', 'anchors', 'chrony', 'HTTPS_PROXY=http://p'])
      expect(text).toContain(part)
    expect(text, 'a value does not become a line of the unit').not.toContain('\\nExecStart=/bin/evil')
  })
})

describe('notStarted()', () => {
  it('T-68 ZT-038 an Ignition that enables the assisted agent does not, where the Ironic agent is', () => {
    const theirs = {
      ignition: { version: '3.1.0' },
      systemd: {
        units: [
          { name: 'agent.service', enabled: true },
          { name: 'x', enabled: true },
        ],
      },
    }
    expect(unitsOf(notStarted(theirs)).map(({ enabled }) => enabled)).toEqual([false, true])
    expect(notStarted({ ignition: {} })).toEqual({ ignition: {} })
  })
})
