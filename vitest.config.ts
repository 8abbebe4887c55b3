import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'tools/**/*.test.ts', 'bin/**/*.test.ts', 'examples/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'test/conformance/**', 'test/kube/**'],
    pool: 'forks',
    maxWorkers: 2,
    // No module of ours holds state, so files may share a process: that saves a third of the time.
    isolate: false,
    // A bound for what never ends: machines that are shared make anything slow.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
