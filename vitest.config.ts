import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{impl,conformance,chain,fixtures,scripts}/**/*.test.ts'],
    globalSetup: ['scripts/build/beforeTests.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    reporters: ['default'],
  },
})
