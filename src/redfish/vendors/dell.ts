import { seconds } from '../../core/duration.ts'
import type { Bmc } from '../../ports/bmc.ts'
import { Refusal } from '../transport/refusal.ts'
import { madeBy, type Quirk } from './quirk.ts'

const applies = madeBy(/^Dell\b/i)
const grace = seconds(30)

/** iDRAC 9 and 10: the job's address is handed out before the job can be read there (Ironic and gofish users poll for half a minute). */
const youngJobs: Quirk = {
  name: 'dell-young-jobs',
  because: 'iDRAC answers 404 for a job for up to 30 s after it named it',
  applies,
  wrap(bmc, { service }) {
    const { firmware } = bmc
    if (!firmware) return bmc
    const born = new Map<string, number>()
    const noted = (address: string | undefined): string | undefined => {
      if (address !== undefined) born.set(address, service.clock.elapsed())
      const oldest = born.keys().next()
      if (born.size > 16 && !oldest.done) born.delete(oldest.value)
      return address
    }
    return {
      ...bmc,
      ...(bmc.bios ? { bios: { ...bmc.bios, set: async (settings, signal) => noted(await bmc.bios?.set(settings, signal)) } } : {}),
      firmware: {
        ...firmware,
        update: async (image, targets, signal) => noted(await firmware.update(image, targets, signal)),
        push: async (name, image, targets, signal) => noted(await firmware.push(name, image, targets, signal)),
        async task(address, signal) {
          const task = await firmware.task(address, signal)
          const age = service.clock.elapsed() - (born.get(address) ?? Number.NEGATIVE_INFINITY)
          return task.state === 'Gone' && age < grace ? { state: 'Running', message: 'the job is being made' } : task
        },
      },
    }
  },
}

/** A configuration job that waits for a reset makes iDRACs refuse boot-order changes (metal-operator issue 472): that passes, nothing is wrong with the order. */
const orderBehindJob: Quirk = {
  name: 'dell-order-behind-job',
  because: 'BootOrder is refused while a configuration job is pending; it is taken after the job has run',
  applies,
  wrap(bmc) {
    const { setOrder } = bmc.boot
    if (!setOrder) return bmc
    return {
      ...bmc,
      boot: {
        ...bmc.boot,
        async setOrder(references, signal) {
          try {
            await setOrder(references, signal)
          } catch (error) {
            if (error instanceof Refusal && error.messages.some(({ id, text }) => /job/i.test(id) || /\bjob\b/i.test(text)))
              throw new Refusal(
                { code: 'bmc/busy', retry: 'backoff', hint: 'A configuration job of the iDRAC has to run first.' },
                error.message,
                error.status,
                error.messages,
              )
            throw error
          }
        },
      } satisfies Bmc['boot'],
    }
  },
}

export const dell: readonly Quirk[] = [youngJobs, orderBehindJob]
