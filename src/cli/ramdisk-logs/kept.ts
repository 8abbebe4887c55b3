import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../../ports/index.ts'
import type { RamdiskLogs } from '../../ports/provisioner.ts'

/** Puts what ramdisks wrote into a folder, an archive for each try that failed. They may hold what is nobody else's business. */
export const ramdiskLogs = (folder: string, log: Log): RamdiskLogs => ({
  async keep({ namespace, name, attempt }, archive) {
    const path = join(folder, `${namespace}_${name}_${attempt}.tar.gz`)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // Under its name it is whole: somebody may be waiting for it.
    await writeFile(`${path}.incoming`, archive, { mode: 0o600 })
    await rename(`${path}.incoming`, path)
    log.info('What a ramdisk wrote was kept', { host: `${namespace}/${name}`, path })
  },
})
