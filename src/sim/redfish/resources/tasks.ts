import { percentOf } from '../../machine/tasks.ts'
import type { SimBmc } from '../bmc.ts'
import { done, type Extra, type Node, type Outcome, ok } from '../node.ts'
import { taskResource, visibleTask } from '../tasks.ts'
import { fixed, healthy, iso, members, shape } from './shape.ts'

/** Long jobs, and the monitors that tell how they end. */
export const tasks: Extra = kit => {
  const { make, at } = kit
  const service = `${at.root}/TaskService`
  const body = shape(kit, service, 'TaskService.v1_2_0.TaskService', 'Task Service', {
    ServiceEnabled: true,
    CompletedTaskOverWritePolicy: 'Oldest',
    LifeCycleEventOnTaskStateChange: false,
    Tasks: at.to(at.tasks),
    Status: healthy,
  })
  kit.node(service, { read: ({ site }) => ({ ...body, DateTime: iso(site.clock.now()) }) })
  kit.node(at.tasks, { read: bmc => members(kit, at.tasks, 'TaskCollection', 'Tasks', visible(bmc)) })
  kit.family(`${at.tasks}/*`, (bmc, id) => {
    const task = visibleTask(bmc, id)
    return task && { read: () => taskResource(bmc, task), remove: () => forget(bmc, id) }
  })
  kit.family(make.update.monitorOf('*'), monitor)
  if (make.update.becomesJob) {
    const jobs = `${at.root}/JobService/Jobs`
    fixed(kit, `${at.root}/JobService`, 'JobService.v1_0_4.JobService', 'Job Service', { ServiceEnabled: true, Jobs: at.to(jobs) })
    kit.node(jobs, { read: bmc => members(kit, jobs, 'JobCollection', 'Jobs', visible(bmc)) })
    kit.family(`${jobs}/*`, job)
  }
}

const visible = (bmc: SimBmc): readonly string[] => (bmc.tasks ?? []).map(({ id }) => id).filter(id => visibleTask(bmc, id) !== undefined)

function forget(bmc: SimBmc, id: string): Outcome {
  bmc.tasks = bmc.tasks?.filter(task => task.id !== id)
  return done
}

/** 202 while it runs, then the last answer; some vendors forget the task with it. */
function monitor(bmc: SimBmc, id: string): Node | undefined {
  const task = visibleTask(bmc, id)
  if (!task) return undefined
  return {
    look() {
      const body = taskResource(bmc, task)
      if (task.ended === undefined && !bmc.make.personality.update.becomesJob) {
        const location = bmc.make.personality.update.monitorOf(id)
        return { status: 202, body, headers: { location, 'retry-after': '5' } }
      }
      if (bmc.make.personality.update.monitorForgets && task.ended !== undefined) forget(bmc, id)
      return ok(body)
    },
  }
}

function job(bmc: SimBmc, id: string): Node | undefined {
  const task = visibleTask(bmc, id)
  if (!task) return undefined
  const { at } = bmc.make
  return {
    read: () => ({
      '@odata.id': at.spell(`${at.root}/JobService/Jobs/${id}`),
      '@odata.type': '#Job.v1_2_0.Job',
      Id: id,
      Name: task.name,
      JobState: task.state,
      JobStatus: task.state === 'Exception' ? 'Critical' : 'OK',
      PercentComplete: percentOf(task, bmc.site.clock.now()),
      Messages: [{ MessageId: 'Base.1.13.Success', Message: task.message }],
    }),
  }
}
