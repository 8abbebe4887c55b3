/** There is one installation per cluster: its kinds are cluster-wide, and so are its names. */
export const name = {
  controllers: 'rackwright-controllers',
  bootServer: 'rackwright-boot-server',
  jobs: 'rackwright-jobs',
  agents: 'rackwright-agents',
} as const

export const selector = (of: string): Readonly<Record<string, string>> => ({
  'app.kubernetes.io/name': 'rackwright',
  'app.kubernetes.io/component': of.replace('rackwright-', ''),
})

export const labels = (of: string): Readonly<Record<string, string>> => ({ ...selector(of), 'app.kubernetes.io/part-of': 'rackwright' })

export const ports = { boot: 8080, health: 8081, agents: 6385 } as const
