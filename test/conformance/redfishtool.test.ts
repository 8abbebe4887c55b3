import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pythonOf, type QuickRack, quickRack, run } from './quick-rack.ts'

const python = pythonOf('redfish-clients')
if ('missing' in python) console.log(`redfishtool is skipped: ${python.missing}`)
const bin = join('folder' in python ? python.folder : '', 'bin')

describe.skipIf('missing' in python)("the DMTF's clients drive the simulated rack", () => {
  let rack: QuickRack
  beforeAll(async () => {
    rack = await quickRack()
  })
  afterAll(() => rack.close())

  const redfishtool = async (...words: readonly string[]): Promise<Record<string, unknown>> => {
    const host = new URL(rack.url('generic')).host
    const known = ['-r', host, '-u', 'admin', '-p', 'rackwright', '-S', 'Always']
    const out = await run(join(bin, 'python'), [join(bin, 'redfishtool'), ...known, ...words], { REQUESTS_CA_BUNDLE: rack.authority })
    return out.trim() === '' ? {} : (JSON.parse(out) as Record<string, unknown>)
  }

  it('the python library powers, boots, inserts, configures and updates, and leaves no session behind', async () => {
    const out = await run(join(bin, 'python'), [join(import.meta.dirname, 'drive-redfish.py'), rack.url('generic'), rack.authority])
    expect(JSON.parse(out.trim().split('\n').at(-1)!)).toEqual({
      reset: 204,
      boot: 204,
      consumed: 'Disabled',
      inserted: true,
      ejected: false,
      bios: 'Performance',
      accepted: 202,
      task: 'Completed',
      version: '21.5.0',
    })
    expect(rack.rack.counts('generic').sessions).toBe(0)
  })

  it('redfishtool reads the system, resets it and arms its next boot', async () => {
    expect(await redfishtool('Systems', '-F', 'get')).toMatchObject({ Id: '1', SerialNumber: 'SIM0000006' })
    await redfishtool('Systems', '-F', 'setBootOverride', 'Once', 'Pxe')
    expect(rack.rack.machine('generic').armed).toMatchObject({ target: 'Pxe', lasts: 'Once' })
    await redfishtool('Systems', '-F', 'reset', 'ForceOff')
    expect(['PoweringOff', 'Off']).toContain(rack.rack.machine('generic').power)
    await redfishtool('Systems', '-F', 'patch', '{"AssetTag":"rack 7"}')
    expect(await redfishtool('Systems', '-F', 'get')).toMatchObject({ AssetTag: 'rack 7' })
  })
})
