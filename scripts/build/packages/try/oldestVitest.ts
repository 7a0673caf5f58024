import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readManifest } from '../manifest.ts'
import type { Packed } from '../packAll.ts'
import type { OrdinaryUser } from './ordinaryUser.ts'
import { type Place, projectWith, tarballsFor } from './place.ts'

/**
 * Runs the examples of the testing package with the oldest vitest that it accepts; the consumer of
 * `npm run try:consumer` has the current one.
 */
export async function tryOldestVitest(
  place: Place,
  user: OrdinaryUser,
  packed: readonly Packed[],
): Promise<void> {
  const own = packed.find(({ name }) => name === 'polgate-testing')
  if (own === undefined) throw new Error('polgate-testing was not packed')
  const range = own.definition.peerRanges?.vitest ?? ''
  const oldest = /^>=(\d+\.\d+)$/.exec(range)?.[1]
  if (oldest === undefined) throw new Error(`the range of vitest, ${range}, has no lower bound`)
  const cwd = await projectWith(place, user, {
    name: 'oldest-vitest',
    packages: [
      ...tarballsFor(place, own.name, own.definition),
      `vitest@~${oldest}.0`,
      `viem@${readManifest('node_modules/viem').version}`,
    ],
  })
  const page = readFileSync(join(cwd, 'node_modules/polgate-testing/README.md'), 'utf8')
  const examples = [
    ...page.matchAll(/```ts\n\/\/ (vitest\.config\.ts|policy\.test\.ts)\n([\s\S]+?)```/g),
  ]
  if (examples.length !== 2) throw new Error('the README has no example for vitest')
  for (const [, name = '', text = ''] of examples) writeFileSync(join(cwd, name), text)
  user.owns(cwd)
  const { version } = JSON.parse(
    readFileSync(join(cwd, 'node_modules/vitest/package.json'), 'utf8'),
  )
  // Vite writes its bundled configuration beside the cache of the modules, which is read-only here.
  const words = ['node', 'node_modules/vitest/vitest.mjs', 'run', '--configLoader', 'runner']
  const { stdout } = await user.run(words, { cwd, env: { ...place.env, NO_COLOR: '1' } })
  if (!/Tests +3 passed \(3\)/.test(stdout)) throw new Error(`vitest ${version} printed ${stdout}`)
  console.log(`vitest ${version}: the examples of polgate-testing pass`)
}
