import { defineConfig } from 'vitest/config'

/** Real clients against the embedded API server: minutes, not seconds, so `npm run conformance` runs them on their own. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/conformance/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 600_000,
    hookTimeout: 600_000,
    passWithNoTests: true,
  },
})
