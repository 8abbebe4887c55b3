import { expect, it } from 'vitest'
import { agentIgnition } from './agent-ignition.ts'

const settings = { apiUrl: 'https://boot:6385', callbackUrl: 'https://boot/v1/continue_inspection', image: 'agent:1' }

it('IC-08 an image has the agent’s settings and its unit, with a name for its host; the rest where it is given', () => {
  const plain = JSON.stringify(agentIgnition(settings, 'worker-0', []))
  expect(plain).toContain('"name":"ironic-agent.service","enabled":true')
  expect(plain).toContain('IPA_DEFAULT_HOSTNAME=worker-0')
  for (const part of ['authfile', 'sshAuthorizedKeys', 'NetworkManager']) expect(plain).not.toContain(part)
  const all = { ...settings, sshKeys: ['ssh-ed25519 A'], pullSecret: '{}', authority: 'PEM' }
  const full = JSON.stringify(agentIgnition(all, 'worker-0', [{ name: 'eth0.nmconnection', content: '[connection]' }]))
  for (const part of ['--authfile=/etc/authfile.json', 'ssh-ed25519 A', '/etc/NetworkManager/system-connections/eth0.nmconnection'])
    expect(full).toContain(part)
})
