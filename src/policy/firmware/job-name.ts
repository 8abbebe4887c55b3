import { spread } from '../../core/spread.ts'

const short: Readonly<Record<string, string>> = {
  'bios-scan': 'scan',
  'bios-version-update': 'version',
  'bios-settings-update': 'settings',
  'firmware-scan': 'scan',
  'firmware-update': 'update',
}

/** The name of an object's next Job: the same until that Job was counted, so that making it twice makes it once. */
export function jobName(prefix: string, name: string, uid: string, program: string, count: number): string {
  const readable = name
    .replace(/[^a-z0-9-]/g, '-')
    .slice(0, 24)
    .replace(/-+$/, '')
  return `${prefix}-${readable}-${spread(uid).toString(36)}-${short[program] ?? 'job'}-${count}`
}
