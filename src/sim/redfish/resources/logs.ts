import { done, type Extra } from '../node.ts'
import { collection, fixed, healthy } from './shape.ts'

/** Logs that can be read, with one line in each. */
export const logs: Extra = kit => {
  const { at } = kit
  for (const [owner, id] of [
    [at.system, 'Log1'],
    [at.manager, 'SEL'],
  ] as const) {
    const path = `${owner}/LogServices`
    collection(kit, path, 'LogServiceCollection', 'Log Services', [id])
    fixed(kit, `${path}/${id}`, 'LogService.v1_4_0.LogService', id, {
      ServiceEnabled: true,
      OverWritePolicy: 'WrapsWhenFull',
      MaxNumberOfRecords: 512,
      Entries: at.to(`${path}/${id}/Entries`),
      Status: healthy,
      Actions: { '#LogService.ClearLog': { target: at.spell(`${path}/${id}/Actions/LogService.ClearLog`) } },
    })
    kit.node(`${path}/${id}/Actions/LogService.ClearLog`, { action: true, post: () => done })
    collection(kit, `${path}/${id}/Entries`, 'LogEntryCollection', 'Log Entries', ['1'])
    fixed(kit, `${path}/${id}/Entries/1`, 'LogEntry.v1_15_0.LogEntry', 'Log Entry 1', {
      EntryType: 'Event',
      Severity: 'OK',
      Created: '2026-01-01T00:00:00Z',
      Message: 'The log begins.',
    })
  }
}
