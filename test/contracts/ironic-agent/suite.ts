import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AgentAt, AgentCalls, AgentCommand } from '../../../src/ports/ironic-agent.ts'
import type { AgentDesk } from '../../../src/provisioner/agent/desk.ts'
import { agentToken } from '../../../src/provisioner/agent/token.ts'

export const agentKey = Buffer.alloc(32, 9)
export const uid = '0b5e0000-1111-4222-8333-444455556666'
export const attempt = 4
export const node = { uuid: uid, properties: {}, instance_info: {}, driver_info: {}, driver_internal_info: {}, extra: {} }

/** One machine with an agent on it that was not started yet, and our side of the protocol. */
export interface AgentLab {
  readonly desk: AgentDesk
  readonly calls: AgentCalls
  readonly mac: string
  /** Starts the agent, as a boot of the ramdisk does. */
  start(): Promise<void>
  /** Lets time pass, or waits for it. */
  until(words: string, so: () => boolean | Promise<boolean>): Promise<void>
  /** Steps of a deployment that harm nothing: one that works, one that does not, and what is then said. */
  readonly steps: { readonly works: string; readonly fails: string; readonly says: string }
  /** Called before the step that shall fail. */
  spoil?(): void
  stop(): Promise<void>
}

const never = new AbortController().signal

/** What an Ironic agent and we say to each other: the same for the simulated one and for the real one. */
export function agentProtocol(name: string, open: () => Promise<AgentLab>): void {
  describe(`the protocol of Ironic agents, with ${name}`, () => {
    let lab: AgentLab
    let agent: AgentAt
    beforeAll(async () => {
      lab = await open()
      await lab.start()
    })
    afterAll(() => lab?.stop())

    it('nobody who is not expected is told anything', async () => {
      const asked = { method: 'GET', url: `/v1/lookup?addresses=${lab.mac}`, headers: {} }
      expect((await lab.desk.handler(asked, { address: '10.0.0.9' })).status).toBe(404)
      expect(lab.desk.heard(uid, attempt)).toBeUndefined()
    })
    it('expected, the agent tells what it found, learns who it is, and calls', async () => {
      lab.desk.expect({ uid, attempt, macs: [lab.mac], node, takesMd5: false })
      await lab.until('the agent has called', () => lab.desk.heard(uid, attempt)?.agent !== undefined)
      agent = lab.desk.heard(uid, attempt)!.agent!
      expect(agent.token).toBe(agentToken(agentKey, uid, attempt))
      expect(agent).toMatchObject({ url: expect.stringMatching(/^https:/), ca: expect.stringContaining('BEGIN CERTIFICATE') })
    })
    it('what it found is told again where it is asked for', async () => {
      const said = (await lab.calls.ask(agent, 'poll.get_hardware_info', {}, never)) as { interfaces: { mac_address: string }[] }
      expect(said.interfaces.map(({ mac_address }) => mac_address.toLowerCase())).toContain(lab.mac)
    })
    it('a call without the token of this try is refused by both sides', async () => {
      const stranger = { ...agent, token: agentToken(agentKey, uid, attempt + 1) }
      await expect(lab.calls.commands(stranger, never)).rejects.toMatchObject({ code: 'agent/other-token' })
      const body = Buffer.from(JSON.stringify({ callback_url: agent.url, agent_token: stranger.token, agent_verify_ca: agent.ca }))
      const { hostname } = new URL(agent.url)
      const beat = { method: 'POST', url: `/v1/heartbeat/${uid}`, headers: {}, body }
      expect((await lab.desk.handler(beat, { address: hostname })).status).toBe(401)
    })
    const last = async (): Promise<AgentCommand | undefined> => (await lab.calls.commands(agent, never)).at(-1)
    const execute = (step: string) =>
      lab.calls.begin(
        agent,
        'deploy.execute_deploy_step',
        { step: { step, interface: 'deploy', priority: 0, args: {} }, node, ports: [] },
        never,
      )
    it('it says which steps it has, and each command is listed after those before it', async () => {
      const before = (await lab.calls.commands(agent, never)).length
      const said = (await lab.calls.ask(agent, 'deploy.get_deploy_steps', { node, ports: [] }, never)) as {
        deploy_steps: Record<string, { step: string }[]>
      }
      expect(
        Object.values(said.deploy_steps)
          .flat()
          .map(({ step }) => step),
      ).toEqual(expect.arrayContaining(['write_image', lab.steps.works]))
      expect((await lab.calls.commands(agent, never)).length).toBe(before + 1)
    })
    it('a step runs, nothing else begins meanwhile, and its end is seen', async () => {
      await execute(lab.steps.works)
      expect(await last()).toMatchObject({ name: 'execute_deploy_step', status: 'RUNNING' })
      await expect(execute(lab.steps.works)).rejects.toMatchObject({ code: 'agent/busy' })
      await lab.until('the step has ended', async () => (await last())?.status !== 'RUNNING')
      expect(await last()).toMatchObject({ status: 'SUCCEEDED', result: { deploy_step: { step: lab.steps.works } } })
    })
    it('a step that fails says why', async () => {
      lab.spoil?.()
      await execute(lab.steps.fails)
      await lab.until('the step has ended', async () => (await last())?.status !== 'RUNNING')
      expect(await last()).toMatchObject({ status: 'FAILED', error: expect.stringContaining(lab.steps.says) })
    })
    it('a step that it does not have fails, too, and buffers are flushed on request', async () => {
      await execute('no_such_step')
      await lab.until('the step has ended', async () => (await last())?.status !== 'RUNNING')
      expect(await last()).toMatchObject({ status: 'FAILED', error: expect.stringContaining('MethodNotFound') })
      await lab.calls.begin(agent, 'standby.sync', {}, never)
      expect(await last()).toMatchObject({ name: 'sync', status: 'SUCCEEDED' })
    })
    it('after our own restart it is heard again, and is commanded with the same token', async () => {
      lab.desk.dismiss(uid)
      lab.desk.expect({ uid, attempt, macs: [lab.mac], node, takesMd5: false })
      expect(lab.desk.heard(uid, attempt)?.agent).toBeUndefined()
      // What ends makes it call at once.
      await execute(lab.steps.works).catch(() => {})
      await lab.until('the agent has called again', () => lab.desk.heard(uid, attempt)?.agent !== undefined)
      expect(lab.desk.heard(uid, attempt)?.agent).toMatchObject({ url: agent.url, token: agent.token })
    })
  })
}
