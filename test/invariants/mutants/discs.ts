import { act } from '../../../src/core/plan.ts'
import type { HostOrder } from '../../../src/ports/provisioner.ts'
import type { DiscReconciler, HostProgramOptions } from '../../scenarios/metal3/setting.ts'
import type { DiscMutant, DiscStory } from './mutant.ts'

type Seen = Parameters<DiscReconciler['decide']>[0]
type DiscPlan = ReturnType<DiscReconciler['decide']>

const mutant = (shows: DiscStory, name: string, bad: string, disc: HostProgramOptions): DiscMutant => ({ name, bad, shows, disc })
const doing = (shows: DiscStory, name: string, bad: string, otherwise: (plan: DiscPlan, seen: Seen) => DiscPlan): DiscMutant =>
  mutant(shows, name, bad, { discs: right => ({ ...right, decide: (seen, now) => otherwise(right.decide(seen, now), seen) }) })
const does = (plan: DiscPlan, verb: string): boolean => plan.actions.some(action => action.do === verb)
/** As if every host were about to start. */
const anytime = (right: DiscReconciler): DiscReconciler => ({
  ...right,
  observe: async (image, look) => ({ ...(await right.observe(image, look)), anytime: true }),
})

/** Mistakes that somebody could make about discs that hosts find and do not boot from. */
export const discMutants: readonly DiscMutant[] = [
  doing(
    'discIsTakenOut',
    'a disc left behind by a DataImage that goes',
    'the next owner of the machine reads somebody’s configuration',
    (plan, seen) => (seen.image.deleting && seen.image.held ? act('it goes', [{ do: 'letGo' }]) : plan),
  ),
  doing(
    'findsItsDisc',
    'a finalizer that is put on after the disc is in',
    'a crash in between leaves a disc that nobody takes out',
    (plan, seen) =>
      does(plan, 'hold') && !does(plan, 'insert') && seen.wanted !== undefined
        ? act('it is put in', [
            { do: 'insert', order: seen.host!.order as HostOrder, drive: driveOf(seen), url: seen.wanted },
            { do: 'hold' },
          ])
        : plan,
  ),
  doing('findsItsDisc', 'a disc that is put in without a note', 'a crash leaves a disc of which nobody knows', plan => {
    if (!does(plan, 'insert')) return plan
    const { begun: _, ...status } = plan.status
    return { ...plan, status }
  }),
  doing(
    'findsItsDisc',
    'a disc that is said to be attached because it was asked for',
    'a host starts without it, and status says otherwise',
    (plan, seen) =>
      does(plan, 'insert')
        ? { ...plan, status: { ...plan.status, begun: null, attachedImage: { url: seen.wanted }, drive: driveOf(seen) } }
        : plan,
  ),
  mutant('findsItsDisc', 'a disc put in on the word of a cache', 'a host that was switched on meanwhile gets it while it runs', {
    discs: right => ({ ...right, perform: { ...right.perform, insert: { run: right.perform.insert.run } } }),
  }),
  mutant('findsAnother', 'another disc put in over the first', 'a drive is changed under whatever reads it', {
    discs: right => ({
      ...right,
      decide: (seen, now) =>
        right.decide(
          seen.image.attached !== undefined && seen.wanted !== undefined
            ? { ...seen, image: { ...seen.image, attached: undefined } }
            : seen,
          now,
        ),
    }),
  }),
  mutant('discIsTakenOut', 'a disc taken out of a host that runs', 'its file system goes away under a system that reads it', {
    discs: right => {
      const always = anytime(right)
      return {
        ...always,
        observe: async (image, look) => ({
          ...(await always.observe(image, look)),
          window: true,
          sight: await sightOf(always, image, look),
        }),
      }
    },
  }),
  {
    ...mutant('findsItsDisc', 'a host that starts without waiting for its disc', 'its first boot finds no configuration', {
      remake: right => ({
        ...right,
        observe: async (host, look) => {
          const seen = await right.observe(host, look)
          return seen.media ? { ...seen, media: { ...seen.media, pending: false, lost: false } } : seen
        },
      }),
    }),
    looks: ['outage'],
  },
  mutant('findsItsDisc', 'a host that waits for its disc for ever', 'it never starts', {
    remake: right => ({
      ...right,
      observe: async (host, look) => {
        const seen = await right.observe(host, look)
        return seen.media ? { ...seen, media: { ...seen.media, pending: true, heldFor: 0 } } : seen
      },
    }),
  }),
  mutant('hostGoesWithDisc', 'a host that goes while its disc is in', 'nobody can take it out any more', {
    remake: right => ({
      ...right,
      observe: async (host, look) => {
        const seen = await right.observe(host, look)
        return seen.host.deleting && seen.media ? { ...seen, media: { ...seen.media, isIn: false } } : seen
      },
    }),
  }),
  {
    ...mutant('hostGoesWithDisc', 'tries that follow each other at once', 'a controller that is away for a moment uses them all up', {
      discs: right => ({
        ...right,
        observe: async (image, look) => {
          const seen = await right.observe(image, look)
          return { ...seen, image: { ...seen.image, rest: 0 } }
        },
      }),
    }),
    looks: ['outage'],
  },
  {
    ...mutant('neverSwitchedOff', 'a host that may not be switched off, and is', 'what must never stop stops', {
      engine: direct => ({ ...direct, judge: (host, ...of) => direct.judge({ ...host, neverOff: false }, ...of) }),
    }),
    by: 'switches it off',
  },
  mutant(
    'neverSwitchedOff',
    'an old restart taken for the one that is asked for',
    'nothing is restarted, and its annotation is taken away',
    {
      engine: direct => ({
        ...direct,
        judge(...of) {
          const turn = direct.judge(...of)
          if (turn.is !== 'done') return turn
          const { memory: _, ...rest } = turn
          return rest
        },
      }),
    },
  ),
  mutant('findsItsDisc', 'a disc that becomes the boot device', 'the machine boots a disc with nothing on it', {
    engine: direct => ({
      ...direct,
      media: {
        ...direct.media!,
        async insert(host, drive, url, signal) {
          await direct.media!.insert(host, drive, url, signal)
          await direct.perform(host, { do: 'bootFrom', target: 'Cd' }, signal)
        },
      },
    }),
  }),
]

const driveOf = ({ sight }: Seen): string => (sight?.is === 'there' ? (sight.drives?.[0]?.id ?? '') : '')

/** Looks into the drives at any time. */
async function sightOf(
  right: DiscReconciler,
  image: Parameters<DiscReconciler['observe']>[0],
  look: Parameters<DiscReconciler['observe']>[1],
): Promise<Seen['sight']> {
  const seen = await right.observe({ ...image, spec: { url: '', ...image.spec, immediate: true } }, look)
  return seen.sight
}
