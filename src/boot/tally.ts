/** What the boot server counts, as Prometheus reads it. */
export interface Tally {
  count(name: TallyName, label: string, by?: number): void
  text(): string
}

const names = {
  requests: ['rackwright_boot_requests_total', 'outcome', 'Requests by what became of them.'],
  bytes: ['rackwright_boot_served_bytes_total', 'what', 'Bytes of artefacts that were handed out.'],
  refused: ['rackwright_boot_refused_total', 'host', 'Refused requests; of servers that are known, and of hosts that nobody knows.'],
} as const
type TallyName = keyof typeof names

export function openTally(): Tally {
  const counts = new Map<TallyName, Map<string, number>>()
  return {
    count(name, label, by = 1) {
      const of = counts.get(name) ?? new Map<string, number>()
      of.set(label, (of.get(label) ?? 0) + by)
      counts.set(name, of)
    },
    text: () =>
      (Object.keys(names) as TallyName[])
        .flatMap(name => {
          const [metric, key, help] = names[name]
          const lines = [...(counts.get(name) ?? [])].toSorted().map(([label, n]) => `${metric}{${key}="${label}"} ${n}`)
          return [`# HELP ${metric} ${help}`, `# TYPE ${metric} counter`, ...lines]
        })
        .concat('')
        .join('\n'),
  }
}
