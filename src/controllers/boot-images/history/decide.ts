import type { Instant } from '../../../core/duration.ts'
import type { Plan } from '../../../core/plan.ts'
import { judge } from '../../../policy/boot-images/judge.ts'
import { patience, undone } from '../../../policy/boot-images/loop.ts'
import { platformOf, platformOfTemplate } from '../../../policy/boot-images/platforms/index.ts'
import type { MachineSpec, Platform } from '../../../policy/boot-images/platforms/platform.ts'
import { imagesFor } from '../../../policy/boot-images/stream.ts'
import { bySwitching, byUpgrading } from '../../../policy/boot-images/stub.ts'
import { templateName } from '../../../policy/boot-images/template-name.ts'
import type { Outcome, Verb } from './outcome.ts'
import { planOf } from './plan.ts'
import type { Seen, SeenMachine } from './seen.ts'

export function decide(seen: Seen, now: Instant): Plan<Verb> {
  return planOf(seen, outcomeOf(seen), now)
}

function outcomeOf(seen: Seen): Outcome {
  const { machine, gates, history } = seen
  if (!machine) return { decision: 'Waiting', reason: 'NoResource', because: 'the machine resource is not there' }
  const paused = history.paused ?? machine.pausedBy
  if (paused !== undefined) return { decision: 'Paused', reason: 'Paused', because: `nothing is written for now: ${paused}` }
  if (!machine.enrolled) return { decision: 'Skipped', reason: 'OptedOut', because: 'it is not opted in: it keeps the boot image it has' }
  if (!gates.open) return { decision: gates.fails ? 'Failed' : 'Waiting', reason: gates.reason, because: gates.because }
  if (machine.deployment !== undefined)
    return { decision: 'Skipped', reason: 'OfDeployment', because: `MachineDeployment ${machine.deployment} says what it boots` }
  if (machine.owners.length > 0)
    return {
      decision: 'Failed',
      reason: 'HasOwner',
      because: `${machine.owners.join(', ')} owns it and would undo the change (an owner that is gone counts, too): exclude it from managedBootImages, or take the reference away`,
    }
  if (machine.apart) return { decision: 'Skipped', ...machine.apart }
  const { architecture } = machine
  if (architecture.is !== 'known')
    return { decision: architecture.is === 'skipped' ? 'Skipped' : 'Failed', reason: 'Architecture', because: architecture.because }
  const images = imagesFor(gates.stream, architecture.architecture)
  if (!images)
    return {
      decision: 'Failed',
      reason: 'NoArchitecture',
      because: `stream ${gates.stream.name} has nothing for ${architecture.architecture}`,
    }
  const platform = platformFor(machine)
  if (typeof platform === 'string') return { decision: 'Skipped', reason: 'UnsupportedPlatform', because: platform }
  if (!machine.spec)
    return machine.template
      ? { decision: 'Failed', reason: 'NoTemplate', because: `there is no ${machine.template.kind} ${machine.template.name}` }
      : { decision: 'Failed', reason: 'NoSpec', because: 'it does not say what its machines are like' }
  const known = {
    api: machine.api,
    architecture: architecture.architecture,
    named: new Set([...gates.stream.named, ...history.details.flatMap(({ image }) => image ?? [])]),
  }
  const trusted = machine.vouched ? vouching(platform) : platform
  if (history.restore !== undefined) return goBack(seen, machine, trusted, history.restore, known)
  if (seen.canary?.us && seen.canary.state === 'Trying' && seen.canary.machine === 'Failed') {
    const last = history.details.at(-2)?.image ?? history.details.at(-1)?.image
    if (last !== undefined) return { ...goBack(seen, machine, trusted, last, known), canary: 'Failed', reason: 'CanaryFailed' }
  }
  return keepUp(seen, machine, judge(trusted, machine.spec, images, known))
}

/** A platform whose images somebody vouches for. */
const vouching = (platform: Platform): Platform => ({ ...platform, classify: () => 'stream' })

function platformFor(machine: SeenMachine): Platform | string {
  if (machine.api === 'capi') {
    if (!machine.template) return 'it names no infrastructure template'
    return platformOfTemplate(machine.template.kind) ?? `nothing is known about templates of kind ${machine.template.kind}`
  }
  if (machine.platform === undefined) return 'the cluster does not say on which platform it runs'
  return platformOf(machine.platform) ?? `nothing is known about boot images on platform ${machine.platform}`
}

function keepUp(seen: Seen, machine: SeenMachine, verdict: ReturnType<typeof judge>): Outcome {
  if (verdict.is === 'skipped') return { decision: 'Skipped', reason: verdict.reason, because: verdict.because, image: verdict.image }
  const stub = seen.settings.stubs === 'switch' ? bySwitching(seen.stub, seen.managed) : byUpgrading(seen.stub)
  const known = { image: verdict.image, release: verdict.release, target: verdict.is === 'outdated' ? verdict.target : verdict.image }
  if (stub.is === 'hindered') return { decision: 'Failed', reason: stub.reason, because: stub.because, ...known }
  if (verdict.is === 'current' && stub.is === 'fine') return collected(seen, machine, known)
  const secret = stub.is === 'switch' ? { secret: stub.to } : {}
  const lift: readonly Verb[] =
    stub.is === 'upgrade' && seen.stub ? [{ do: 'liftStub', secret: seen.stub.secret, userData: stub.userData }] : []
  const spec = verdict.is === 'outdated' ? verdict.spec : undefined
  const changes = spec || stub.is === 'switch' ? changesOf(machine, spec, secret) : []
  return write(seen, machine, { ...known, actions: [...lift, ...changes] })
}

/** A providerSpec is patched; a template never is: its clone is made first, under a name that its content gives it. */
function changesOf(machine: SeenMachine, spec: MachineSpec | undefined, secret: { readonly secret?: string }): readonly Verb[] {
  const { revision, template } = machine
  if (!template || !spec) return [{ do: 'patchMachine', revision, ...(spec ? { spec } : {}), ...secret }]
  const name = templateName(machine.name, spec)
  return [
    { do: 'cloneTemplate', name, from: template, spec },
    { do: 'patchMachine', revision, template: name, ...secret },
  ]
}

interface Writing {
  readonly image: string
  readonly target: string
  readonly release: string
  readonly actions: readonly Verb[]
}

function write(seen: Seen, machine: SeenMachine, { actions, ...known }: Writing): Outcome {
  const { history, settings, canary } = seen
  const { sync } = history
  const before = { decision: sync?.decision, target: sync?.target, written: sync?.written ?? 0 }
  const written = undone(before, known.target, seen.wroteLast === 'taken')
  if (written >= patience) {
    const because = `${seen.rival ?? 'somebody'} puts back ${known.image} each time: nothing more is written until that ends, or the resource is excluded`
    return {
      decision: 'Paused',
      reason: 'HotLoop',
      because,
      ...known,
      written,
      event: { type: 'Warning', reason: 'HotLoop', message: because },
    }
  }
  if (canary && canary.state !== 'Proven' && !canary.us) {
    const failed = canary.state === 'Failed'
    const because = failed
      ? `${canary.name} was tried first and failed`
      : `waits until ${canary.name}, which goes first, has a machine that is Ready`
    return { decision: 'Waiting', reason: failed ? 'CanaryFailed' : 'Canary', because, image: known.image, target: known.target }
  }
  if (canary?.us && canary.state === 'Failed')
    return {
      decision: 'Paused',
      reason: 'CanaryFailed',
      because: `a machine with ${known.target} failed: it went back to ${known.image}`,
      ...known,
    }
  if (settings.dryRun)
    return {
      decision: 'Waiting',
      reason: 'DryRun',
      because: `would write ${known.target} in place of ${known.image}`,
      image: known.image,
      target: known.target,
    }
  const failed = typeof seen.wroteLast === 'object' ? seen.wroteLast.failed : undefined
  const because =
    failed === undefined ? `writes ${known.target} in place of ${known.image}` : `tries again to write ${known.target}: ${failed}`
  return {
    decision: 'Updating',
    reason: failed === undefined ? 'Updating' : 'WriteFailed',
    because,
    ...known,
    written,
    actions,
    event: { type: 'Normal', reason: 'BootImageUpdate', message: `${machine.resource} ${machine.name}: ${because}` },
    ...(canary?.us ? { canary: 'Trying' } : {}),
  }
}

/** All is well; what is left of the way here is cleared away. */
function collected(seen: Seen, machine: SeenMachine, known: { image: string; target: string; release: string }): Outcome {
  const { canary, leftovers } = seen
  const proven = canary?.us && canary.state === 'Trying' && canary.machine === 'Ready'
  const current: Outcome = {
    decision: 'Current',
    reason: 'Current',
    because: `boots ${known.image}`,
    ...known,
    ...(proven ? { canary: 'Proven' } : {}),
  }
  const of = machine.template
  return of && leftovers.length > 0 ? { ...current, actions: leftovers.map(name => ({ do: 'collectTemplate', name, of })) } : current
}

/** To an image that it had before, and to stay there. */
function goBack(seen: Seen, machine: SeenMachine, platform: Platform, image: string, known: Parameters<Platform['write']>[2]): Outcome {
  const entry = seen.history.details.find(detail => detail.image === image)
  if (!entry) return { decision: 'Failed', reason: 'NotInHistory', because: `it never had boot image ${image}` }
  const now = machine.spec ? platform.read(machine.spec, known) : undefined
  const release = entry.bootImageVersion
  if (now === image)
    return { decision: 'Paused', reason: 'Restored', because: `went back to ${image} and stays there`, image, target: image, release }
  const spec = platform.write(machine.spec ?? {}, { image, release }, known)
  return {
    decision: 'Updating',
    reason: 'Restoring',
    because: `goes back to ${image}`,
    image: typeof now === 'string' ? now : undefined,
    target: image,
    release,
    actions: changesOf(machine, spec, {}),
  }
}
