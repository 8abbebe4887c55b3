import { defineConfig } from 'vitest/config'

/** The suites that a real Kubernetes control plane is held to as well; `npm run test:kube` brings one. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/kube/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 1,
    // A bound for what never comes: machines that are shared make anything slow.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
})
