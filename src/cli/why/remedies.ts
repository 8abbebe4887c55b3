import type { StampedCondition } from '../../core/condition.ts'

/** Who can set a condition right, and how. */
export interface Remedy {
  readonly who: string
  command(name: string): string
}

/** Trouble that conditions of a server tell of, worst first: the status that is trouble, and what helps. */
export const serverTrouble: readonly (readonly [type: string, bad: 'True' | 'False', Remedy])[] = [
  ['Accepted', 'False', { who: 'you: another object stands for the same machine', command: name => `rackwright describe server/${name}` }],
  ['UnexpectedPowerTransition', 'True', { who: 'you: nobody here commanded that boot', command: name => `rackwright resume ${name}` }],
  ['BootOverrideHonoured', 'False', { who: 'you: its BMC does not keep what it was told', command: name => `rackwright timeline ${name}` }],
  ['Reachable', 'False', { who: 'whoever looks after the network or the power of the rack', command: () => 'rackwright doctor' }],
  [
    'Quarantined',
    'True',
    {
      who: 'you: look at it first',
      command: name => `kubectl annotate server ${name} metal.ironcore.dev/operation=retry`,
    },
  ],
  ['Bootable', 'False', { who: 'whoever made the image, or you with another one', command: name => `rackwright describe server/${name}` }],
  ['Reconciled', 'False', { who: 'nobody yet: it is tried again by itself', command: name => `rackwright describe server/${name}` }],
  ['Overstayed', 'True', { who: 'you, if it does not move soon', command: name => `rackwright timeline ${name}` }],
]

/** Why a BMC is not Ready, by the reason of that condition. */
export const bmcRemedies: Readonly<Record<string, Remedy>> = {
  BmcUntrusted: { who: 'you: say whether this is its certificate', command: name => `rackwright bmc trust ${name}` },
  BmcUnauthorized: { who: 'you: its user or password is another one', command: name => `rackwright bmc password ${name}` },
  BmcNoCredentials: { who: 'you: its Secret is missing', command: name => `rackwright bmc password ${name}` },
  BmcUnreachable: { who: 'whoever looks after the network or the power of the rack', command: name => `rackwright doctor ${name}` },
  NoAddress: { who: 'whoever gives it an address', command: () => 'rackwright get endpoints' },
  AnotherMachine: { who: 'you: another machine answers at its address', command: name => `rackwright describe bmc/${name}` },
}

export const otherwise: Remedy = { who: 'nobody yet: it is tried again by itself', command: name => `rackwright describe ${name}` }

export const conditionIn = (
  status: { readonly conditions?: readonly object[] | undefined } | undefined,
  type: string,
): StampedCondition | undefined => (status?.conditions as readonly StampedCondition[] | undefined)?.find(c => c.type === type)
