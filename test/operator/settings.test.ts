import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterAll, describe, expect, it } from 'vitest'
import { clusterCommands } from '../../src/cli/catalogue/cluster.ts'
import { bootServerSettings, merged, operatorSettings } from '../../src/cli/operator/settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'rackwright-settings-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = (text: string): string => {
  const path = join(folder, 'config.yaml')
  writeFileSync(path, text)
  return path
}
const bootUrl = 'http://boot.example.com:8080/'

describe('settings of the operator', () => {
  it('have defaults for everything but the address where machines boot', () => {
    expect(operatorSettings({ bootUrl })).toMatchObject({
      namespace: 'rackwright-system',
      lease: 'rackwright-controllers',
      bootUrl: 'http://boot.example.com:8080',
      roles: [{ name: 'metal' }, { name: 'firmware' }],
      takeOver: [],
      registries: undefined,
      health: { host: '127.0.0.1', port: 8081 },
    })
    expect(() => operatorSettings({})).toThrow('nobody said where the boot server is reached')
  })
  it('come from a file, and flags win', () => {
    const config = file('bootUrl: http://a:1\nnamespace: here\nregistries: [one, two]\n')
    expect(operatorSettings(merged({ config, namespace: 'there' }))).toMatchObject({
      namespace: 'there',
      bootUrl: 'http://a:1',
      registries: ['one', 'two'],
    })
  })
  it('FW-033 name the JobRunner that is taken where no other is, by a flag of the command line', () => {
    const command = new Command()
    for (const [flag, says] of clusterCommands.find(({ call }) => call === 'operator')?.options ?? []) command.option(flag, says)
    command.parse(['--boot-url', bootUrl, '--default-job-runner', 'fallback'], { from: 'user' })
    expect(operatorSettings(merged(command.opts())).defaultJobRunner).toBe('fallback')
    expect(operatorSettings({ bootUrl }).defaultJobRunner).toBeUndefined()
  })
  it('refuse a file with a setting that nobody knows', () =>
    expect(() => merged({ config: file('bootURL: http://a:1\n') })).toThrow('nobody knows bootURL'))
  it('refuse controllers that do not exist', () =>
    expect(() => operatorSettings({ bootUrl, controllers: 'metal,toaster' })).toThrow('there are no controllers called "toaster"'))
  it('T-07 say whose boot server serves: our own unless told, and nothing that nobody knows', () => {
    expect(operatorSettings({ bootUrl, bootServer: '' })).toMatchObject({ externalBootServer: false })
    expect(operatorSettings(merged({ config: file('bootServer: external\nbootUrl: http://a:1\n') }))).toMatchObject({
      externalBootServer: true,
    })
    expect(() => operatorSettings({ bootUrl, bootServer: 'theirs' })).toThrow('Cannot use bootServer theirs: it is own or external')
  })
  it('X-005 say what counts as a first boot, and nothing that nobody knows', () => {
    expect(operatorSettings({ bootUrl })).not.toHaveProperty('provisionedWhen')
    expect(operatorSettings({ bootUrl, provisionedWhen: 'BootReported' })).toMatchObject({ provisionedWhen: 'BootReported' })
    expect(() => operatorSettings({ bootUrl, provisionedWhen: 'Soon' })).toThrow('it is PowerOn or ArtifactServed or BootReported')
  })
  it('of the boot server listen on loopback unless told', () =>
    expect(bootServerSettings({ bootUrl })).toMatchObject({ host: '127.0.0.1', port: 8080, allowUserDataByWindow: false }))
})
