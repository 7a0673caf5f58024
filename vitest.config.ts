import { defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/testing/longestFirst.ts'

/**
 * Tests of what a process holds, or of how much of a processor it takes, and tests that change the time
 * of their process, by which databases of others set timers: each in one of its own.
 */
const alone = [
  'impl/rego/{safety,evaluate,builtins}/limits.test.ts',
  'impl/rego/safety/collection.test.ts',
  'impl/service/oracles/{oracleHost,hostile/limits}.test.ts',
  'impl/service/operators/secretsCheck.test.ts',
  'impl/service/{gateway/rateLimit,webhooks/timer}.test.ts',
]

/**
 * Tests of the tools of policy authors: they build oracles, and run whole packages against hosts that fail.
 * `npm run test:author` runs them, `npm test` the others.
 */
const author = [
  'impl/cli/{authorCommands,authorFlows,startVariants}.test.ts',
  'impl/cli/{dev,oracle,package,webhooks,policy/compose,policy/import,policy/test}/**/*.test.ts',
  'impl/cli/policy/initPolicy.test.ts',
]

/** Tests of Studio, most of them in a browser. `npm run test:author` runs them too. */
const studio = ['impl/studio/**/*.test.ts', 'impl/cli/studio/**/*.test.ts']

/** As in impl/lib/compile/optimizeLate.mjs. */
const execArgv = [
  '--wasm-tiering-budget=2000000000',
  // The threads of a parallel collector take a fifth of the CPU time of workers that use all
  // processors anyway.
  '--single-threaded-gc',
]

/**
 * For processes that run hundreds of files, of which little stays hot: more space for young objects, and, as
 * in impl/lib/compile/optimizeLate.mjs, later optimization. Each saves a twentieth of the CPU time.
 */
const ofManyFiles = [
  '--max-semi-space-size=64',
  ...(Number.parseInt(process.versions.v8, 10) < 12 ? ['--interrupt-budget=3000000'] : []),
]

const shared = {
  // Of what never ends, not of what is slow: a busy machine takes ten times as long.
  testTimeout: 120_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 30_000, interval: 15 } },
  maxWorkers: 3,
  setupFiles: ['scripts/testing/failOnWarnings.ts'],
}

const together = {
  ...shared,
  execArgv: [...execArgv, ...ofManyFiles],
  // A process a file would be three hundred, and each would load everything again.
  isolate: false,
}

export default defineConfig({
  test: {
    globalSetup: ['scripts/build/beforeTests.ts'],
    reporters: ['default'],
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { ...shared, name: 'alone', include: alone, execArgv } },
      {
        test: {
          ...together,
          name: 'together',
          include: ['{impl,conformance,chain,fixtures,scripts}/**/*.test.ts'],
          // The consumer is a project of its own, which is tried from tarballs.
          exclude: [...alone, ...author, ...studio, 'fixtures/consumer/**', '**/node_modules/**'],
        },
      },
      { test: { ...together, name: 'author', include: [...author, ...studio] } },
    ],
  },
})
