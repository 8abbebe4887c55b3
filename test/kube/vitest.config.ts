import { defineConfig } from 'vitest/config'

/** The suites that a real Kubernetes control plane is held to as well; `npm run test:kube` brings one. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/kube/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
