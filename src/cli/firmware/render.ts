import type { Instant } from '../../core/duration.ts'
import { since } from '../output/age.ts'
import type { Paint } from '../output/paint.ts'
import { table } from '../output/table.ts'
import type { Outlook } from './outlook.ts'

export function renderStatus(outlooks: readonly Outlook[], now: Instant, paint: Paint): string {
  if (outlooks.length === 0) return 'There is no ServerBIOS and no ServerFirmware. docs/guides/firmware.md says how to make one.'
  const rows = outlooks.map(({ kind, name, server, found, wanted, sync, scanned, job, notYet }) => [
    `${kind}/${name}`,
    server,
    found,
    wanted,
    sync,
    scanned === undefined ? 'never' : `${since(scanned, now)} ago`,
    job === undefined ? (notYet ?? '') : `job ${job} runs`,
  ])
  return table(['OBJECT', 'SERVER', 'FOUND', 'WANTED', 'IN SYNC', 'SCANNED', 'BECAUSE'], rows, paint)
}

/** What would be done, how often machines would restart, and why it is not being done yet. */
export function renderPlan(outlooks: readonly Outlook[], paint: Paint): string {
  const open = outlooks.filter(({ sync }) => sync !== 'yes')
  if (open.length === 0) return 'Everything is as wanted: nothing would be done.'
  const parts = open.map(({ kind, name, server, steps, notYet, job }) => {
    const lines = steps.map(({ program, what }, n) => `  ${n + 1}. ${program}: ${what}`)
    const restarts = steps.reduce((sum, step) => sum + step.restarts, 0)
    const count = steps.length === 0 ? [] : [`  At most ${restarts} restart${restarts === 1 ? '' : 's'} of the machine.`]
    const state =
      job !== undefined ? [`  Job ${job} is at it: rackwright logs job/${job}`] : notYet === undefined ? [] : [`  Not yet: ${notYet}`]
    return [paint.bold(`${kind}/${name} for server ${server}`), ...lines, ...count, ...state].join('\n')
  })
  return parts.join('\n')
}
