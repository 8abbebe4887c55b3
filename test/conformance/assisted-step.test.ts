import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bring } from '../contracts/provisioner/bring.ts'
import { openLane } from './ironic-agent/lane.ts'
import { mockedSystemd, systemdMissing } from './ironic-agent/mocked-systemd.ts'
import { realAgent } from './ironic-agent/real-agent.ts'
import { userSystemd, userSystemdMissing } from './ironic-agent/user-systemd.ts'

const found = realAgent()
const missing = 'missing' in found ? found.missing : systemdMissing()
const source = join(import.meta.dirname, '../../src/agent/ironic')

/** Where mypy and ruff are; undefined where they cannot be had. */
function lint(): string | undefined {
  const { status, stdout } = spawnSync(join(import.meta.dirname, '../../tools/python/venv'), ['lint'], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

describe(`the step start_assisted_install${missing === undefined ? '' : `: ${missing}`}`, () => {
  const stories: readonly (readonly [story: string, ids: string, wanted: object])[] = [
    ['success', 'ZT-040 ZT-041 ZT-042', { is: 'done' }],
    ['failure', 'ZT-043', { is: 'failed', because: expect.stringContaining('agent.service: it failed (exit-code)') }],
    [
      'crash-loop',
      'X-031 ZT-043 T-69',
      { is: 'failed', because: expect.stringContaining('restarted 6 times without running for a minute') },
    ],
    ['never-ran', 'T-69', { is: 'failed', because: expect.stringContaining('it never ran') }],
    ['missing', 'ZT-043', { is: 'failed', because: expect.stringContaining('there is no agent.service on this system') }],
  ]
  for (const [story, ids, wanted] of stories)
    it.skipIf(missing !== undefined)(`${ids} a real agent runs it for our engine, over D-Bus: ${story}`, async () => {
      const systemd = await mockedSystemd(story)
      const lane = await openLane('folder' in found ? found.folder : '', systemd.address)
      try {
        const deployed = await bring(lane, { ...lane.host, customDeploy: 'start_assisted_install' }, 'deploy')
        expect(deployed.turn, lane.agents.at(-1)?.log().slice(-2_000)).toMatchObject(wanted)
        if (story === 'success') expect(Object.values(lane.rack.machine('srv-1').media ?? {}), 'ZT-050 the disc is out').toEqual([])
      } finally {
        await lane.stop()
        await systemd.stop()
      }
    })
  const without = missing ?? userSystemdMissing()
  for (const [story, ids, wanted] of stories)
    it.skipIf(without !== undefined)(
      `${ids} the same with a real systemd, of a user: ${story}${without === undefined ? '' : ` (skipped: ${without})`}`,
      async () => {
        const systemd = await userSystemd(story)
        const lane = await openLane('folder' in found ? found.folder : '', systemd.address)
        try {
          const deployed = await bring(lane, { ...lane.host, customDeploy: 'start_assisted_install' }, 'deploy')
          expect(deployed.turn, lane.agents.at(-1)?.log().slice(-2_000)).toMatchObject(wanted)
        } finally {
          await lane.stop()
          await systemd.stop()
        }
      },
    )
  const linters = lint()
  it.skipIf(linters === undefined).each([
    ['ruff', ['check', '.']],
    ['ruff', ['format', '--check', '.']],
    ['mypy', ['--no-incremental']],
  ] as const)('its Python is as %s %j wants it', (tool, args) => {
    const { status, stdout } = spawnSync(join(linters ?? '', 'bin', tool), args, { cwd: source, encoding: 'utf8' })
    expect(status, stdout).toBe(0)
  })
  it.skipIf(spawnSync('python3', ['--version']).error !== undefined)('ZT-041 T-69 T-70 its own tests pass', () => {
    const { status, stderr } = spawnSync('python3', ['-m', 'unittest', 'discover', '-s', 'tests'], { cwd: source, encoding: 'utf8' })
    expect(stderr).toMatch(/Ran \d{2} tests/)
    expect(status, stderr).toBe(0)
  })
})
