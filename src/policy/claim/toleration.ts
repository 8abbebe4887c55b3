export interface Taint {
  readonly key: string
  readonly value?: string
  readonly effect: string
}

export interface Toleration {
  readonly key?: string
  readonly operator?: 'Equal' | 'Exists'
  readonly value?: string
  readonly effect?: string
}

/** Whether a claim may take a server in spite of a taint. The rules are those of pods and nodes. */
export function tolerates(tolerations: readonly Toleration[], taint: Taint): boolean {
  return tolerations.some(({ key, operator = 'Equal', value = '', effect }) => {
    if (effect !== undefined && effect !== taint.effect) return false
    if (key === undefined) return operator === 'Exists'
    return key === taint.key && (operator === 'Exists' || value === (taint.value ?? ''))
  })
}
