import { describe, expect, it } from 'vitest'
import { completedBy, type Due, dueOf, type Judged, type ReadinessRule } from './rule.ts'

const taint = { key: 'example.com/not-wired', effect: 'NoBind' }
const rule: ReadinessRule = {
  name: 'wired',
  going: false,
  selector: [{ key: 'pool', operator: 'in', values: ['compute'] }],
  conditions: [{ type: 'NetworkReady', requiredStatus: 'True' }],
  once: false,
  taint,
}
const server: Judged = { labels: { pool: 'compute' }, annotations: {}, taints: [], conditions: [] }
const wired = { conditions: [{ type: 'NetworkReady', status: 'True' }] }
const unwired = { conditions: [{ type: 'NetworkReady', status: 'False' }] }
const bears = { taints: [taint] }
const once = { once: true }
const answered = { annotations: { [completedBy('wired')]: 'true' } }

describe('dueOf()', () => {
  const rows: readonly (readonly [
    reason: string,
    rule: Partial<ReadinessRule>,
    server: Partial<Judged>,
    due: Due | undefined,
    others?: readonly Partial<ReadinessRule>[],
  ])[] = [
    ['X-001 a condition that nobody reported is not met', {}, {}, 'taint'],
    ['one that is false is not met', {}, unwired, 'taint'],
    ['one that is unknown is not met', {}, { conditions: [{ type: 'NetworkReady', status: 'Unknown' }] }, 'taint'],
    ['a taint that is there is not put on twice', {}, { ...unwired, ...bears }, undefined],
    ['X-001 what is met takes the taint off', {}, { ...wired, ...bears }, 'untaint'],
    ['nothing to do where all is well', {}, wired, undefined],
    ['a server that it does not select is left alone', {}, { labels: {} }, undefined],
    ['a server that it does not select any more loses the taint', {}, { labels: {}, ...bears }, 'untaint'],
    ['X-001 a rule that goes takes its taint along', { going: true }, { ...unwired, ...bears }, 'untaint'],
    ['X-001 one that asks once is content for good', once, { ...wired, ...bears }, 'untaint for good'],
    ['one that asks once notes a server that was ready from the start', once, wired, 'note that it was ready'],
    ['X-001 one that asks once does not come back', once, { ...unwired, ...answered }, undefined],
    ['what somebody put on by hand after that stays', once, { ...unwired, ...answered, ...bears }, undefined],
    [
      'a taint that another rule wants stays',
      {},
      { ...wired, ...bears },
      undefined,
      [{ conditions: [{ type: 'Burnt', requiredStatus: 'True' }] }],
    ],
    ['another effect is another taint', {}, { ...unwired, taints: [{ ...taint, effect: 'Evict' }] }, 'taint'],
  ]
  for (const [reason, with_, given, due, others = []] of rows)
    it(reason, () => {
      const one = { ...rule, ...with_ }
      const all = [one, ...others.map(other => ({ ...rule, name: 'other', ...other }))]
      expect(dueOf(one, all, { ...server, ...given })).toBe(due)
    })
})
