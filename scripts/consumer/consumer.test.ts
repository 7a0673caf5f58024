import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { packageDefinitions } from '../build/packages/definitions.ts'
import { manifestOf } from '../build/packages/manifest.ts'

const read = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')
const json = (path: string) => JSON.parse(read(path))

test('the lock file of the consumer names no machine and no registry', () => {
  const { packages } = json('fixtures/consumer/package-lock.json') as {
    packages: Record<string, { resolved?: string; integrity?: string }>
  }
  const entries = Object.entries(packages)
  expect(entries.length).toBeGreaterThan(50)
  expect(entries.flatMap(([, { resolved }]) => resolved ?? []).sort()).toEqual([
    'file:packages/polgate-client.tgz',
    'file:packages/polgate-testing.tgz',
  ])
})

test('it has what the packages need', () => {
  const { packages } = json('fixtures/consumer/package-lock.json') as {
    packages: Record<string, { dependencies?: Record<string, string> }>
  }
  // Otherwise: npm run try:consumer -- --lock
  for (const directory of ['impl/client', 'impl/testing']) {
    const definition = packageDefinitions.find((each) => each.directory === directory)!
    const manifest = manifestOf(definition)
    const dependencies = (manifest as unknown as { dependencies: Record<string, string> })
      .dependencies
    expect(packages[`node_modules/${manifest.name}`]?.dependencies).toEqual(dependencies)
    for (const dependency of Object.keys(dependencies))
      expect(Object.keys(packages)).toContain(`node_modules/${dependency}`)
  }
})

test('it has the versions of this repository', () => {
  const { devDependencies } = json('fixtures/consumer/package.json')
  const ours = json('package.json').devDependencies
  for (const name of ['@types/node', 'typescript', 'viem', 'vitest'])
    expect([name, devDependencies[name]]).toEqual([name, ours[name]])
})

test('what is tried are the steps of its workflow', () => {
  const workflow = read('fixtures/consumer/.github/workflows/policies.yml')
  const steps = [...workflow.matchAll(/^ +- run: (.+)$/gm)].map(([, command]) => command)
  expect(steps).toEqual(['npm ci --ignore-scripts', 'npm run types', 'npm test'])
  const tried = [...read('scripts/consumer/try.ts').matchAll(/run\(project, 'npm', \[([^\]]+)\]/g)]
  const commands = tried.map(([, words = '']) => `npm ${words.replaceAll(/[', ]+/g, ' ').trim()}`)
  expect(commands.map((command) => command.replace(' --no-audit --no-fund', ''))).toEqual(steps)
})
