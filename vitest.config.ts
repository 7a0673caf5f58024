import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{impl,conformance,chain,fixtures,scripts}/**/*.test.ts'],
    globalSetup: ['scripts/build/beforeTests.ts'],
    // Of what never ends, not of what is slow: a busy machine takes ten times as long.
    testTimeout: 120_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 2,
    reporters: ['default'],
  },
})
