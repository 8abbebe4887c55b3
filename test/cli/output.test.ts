import pc from 'picocolors'
import { describe, expect, it } from 'vitest'
import { changesOf } from '../../src/cli/live/changes.ts'
import { cut, openScreen } from '../../src/cli/live/screen.ts'
import { span } from '../../src/cli/output/age.ts'
import { type Fleet, serverTable } from '../../src/cli/output/servers.ts'
import { table } from '../../src/cli/output/table.ts'
import { boot, claim, condition, configuration, now, server } from './objects.ts'

const plain = pc.createColors(false)
const coloured = pc.createColors(true)
const fleet = (more: Partial<Fleet>): Fleet => ({ servers: [], claims: [], configurations: [], hosts: [], ...more })

describe('span()', () => {
  const cases: readonly (readonly [seconds: number, text: string])[] = [
    [-5, '0s'],
    [119, '119s'],
    [125, '2m5s'],
    [3_600, '60m'],
    [7_260, '2h1m'],
    [200_000, '2d'],
  ]
  for (const [seconds, text] of cases) it(`${seconds} s is ${text}`, () => expect(span(seconds * 1_000)).toBe(text))
})

describe('table()', () => {
  it('is as wide as what stands in it, and colours do not count', () => {
    const lines = table(
      ['A', 'B'],
      [
        [coloured.green('long one'), 'x'],
        ['y', 'z'],
      ],
      plain,
    ).split('\n')
    expect(lines).toEqual(['A         B', `${coloured.green('long one')}  x`, 'y         z'])
  })
})

describe('the table of servers', () => {
  it('counts as people do, and says who has what and how it boots', () => {
    const shown = serverTable(
      fleet({
        servers: [
          server('server-10', { unclaimable: true }),
          server(
            'server-2',
            { serverClaimRef: { namespace: 'default', name: 'c1' } },
            { state: 'Reserved', powerState: 'On', boot: boot() },
          ),
        ],
        configurations: [configuration('c1', 'server-2', {}, { 'metal.ironcore.dev/provisioned': 'true' })],
      }),
      now,
      plain,
    )
    expect(shown.split('\n')).toEqual([
      'SERVER     MAKE  MODEL           POWER  STATE                CLAIM       BOOT                              AGE',
      'server-2   Dell  PowerEdge R650  On     Reserved             default/c1  UefiHttp #2 running, provisioned  10m',
      'server-10  Dell  PowerEdge R650  Off    Available, cordoned  -           -                                 10m',
    ])
  })
  it('an empty rack says how to fill it', () => expect(serverTable(fleet({}), now, plain)).toContain('rackwright bmc add'))
})

describe('changesOf()', () => {
  const before = server('srv-1')
  const cases: readonly (readonly [name: string, before: Fleet, after: Fleet, says: readonly string[]])[] = [
    ['nothing', fleet({ servers: [before] }), fleet({ servers: [before] }), []],
    ['a new server', fleet({}), fleet({ servers: [before] }), ['srv-1: found, Dell Inc. PowerEdge R650', 'srv-1: Available']],
    [
      'a boot that is armed',
      fleet({ servers: [before] }),
      fleet({ servers: [server('srv-1', {}, { state: 'Reserved', boot: boot({ step: 'Arming' }) })] }),
      ['srv-1: Available → Reserved', 'srv-1: boot 2, claim: UefiHttp is being armed and read back'],
    ],
    [
      'an image that does not fit, once',
      fleet({ claims: [claim('c1')] }),
      fleet({ claims: [claim('c1', {}, { conditions: [condition('ImageValid', 'False', 'MissingArtifact', 'it needs uki')] })] }),
      ['claim default/c1: it needs uki'],
    ],
    [
      'a configuration that is provisioned',
      fleet({ configurations: [configuration('c1', 'srv-1')] }),
      fleet({ configurations: [configuration('c1', 'srv-1', {}, { 'metal.ironcore.dev/provisioned': 'true' })] }),
      ['srv-1: provisioned'],
    ],
  ]
  for (const [name, was, is, says] of cases) it(name, () => expect(changesOf(was, is)).toEqual(says))
  it('beside a table, only servers that somebody has', () => {
    const taken = server('srv-2', { serverClaimRef: { namespace: 'default', name: 'c1' } }, { state: 'Reserved' })
    expect(changesOf(fleet({}), fleet({ servers: [before, taken] }), 'claimed')).toEqual([
      'srv-2: found, Dell Inc. PowerEdge R650',
      'srv-2: Reserved',
    ])
  })
})

describe('the live screen', () => {
  it('cuts a line to the window and keeps its colours closed', () => {
    expect(cut(`${coloured.red('hello')} world`, 7)).toBe(`${coloured.red('hello')} w`)
    expect(cut(coloured.red('hello'), 2)).toBe(coloured.red('he'))
  })
  it('draws over what it drew, and lets lines scroll away above it', () => {
    const written: string[] = []
    const screen = openScreen({ write: text => written.push(text), rows: 10, columns: 40 })
    screen.draw('a\nb')
    screen.draw('a\nb')
    screen.say('news')
    screen.draw('c')
    expect(written.slice(1)).toEqual(['a\nb\n', '\u001B[2A\u001B[Jnews\na\nb\n', '\u001B[2A\u001B[Jc\n'])
  })
})
