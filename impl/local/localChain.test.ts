import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ownHostNames } from 'polgate-fixtures/hostNames.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ChainImage, imageDirectory } from './chainImage.ts'
import type { Deployment } from './deployFixtures.ts'
import { chainIdFor, findImage } from './localChain.ts'

const acme = { witPackage: 'acme:provider', regoNamespace: 'acme' }
let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-local-chain-'))
})
afterAll(() => rm(directory, { recursive: true }))

test('a stored chain is not started for another host interface or Rego namespace', async () => {
  await writeFile(join(directory, 'deployment.json'), JSON.stringify({ names: acme }))
  await writeFile(join(directory, 'chain.json'), '{}')
  const find = (names?: typeof acme) =>
    findImage(directory, names).then(
      () => 'found',
      ({ message, hint }) => `${message} ${hint}`,
    )
  expect(await find(acme)).toBe('found')
  expect(await find()).toContain('for the host interface acme:provider and the Rego namespace acme')
  expect(await find()).toContain('--brand host-interface=acme:provider,rego-namespace=acme')
  expect(await find({ ...acme, regoNamespace: 'other' })).toContain(
    'not for acme:provider and other',
  )
})

test('images of other names are apart', () => {
  const directories = [undefined, ownHostNames, acme, { ...acme, regoNamespace: 'b' }].map(
    (names) => imageDirectory(names),
  )
  expect(new Set(directories).size).toBe(3)
  expect(directories[0]).toBe(directories[1])
})

const stored = (chainId?: number) =>
  ({ found: { generation: {} }, deployment: { chainId } as Deployment }) as ChainImage

test.each([
  ['no data directory', stored(), undefined, 7, 7],
  ['a first start', undefined, 'dir', 7, 7],
  ['the shared image', { deployment: {} } as ChainImage, 'dir', 7, 7],
  ['a chain of an earlier release', stored(), 'dir', undefined, 31_337],
  ['a stored chain id', stored(7), 'dir', undefined, 7],
  ['the same one', stored(7), 'dir', 7, 7],
])('the chain id of %s', (_, image, dataDir, wanted, expected) => {
  expect(chainIdFor(image, dataDir, wanted)).toBe(expected)
})

test('another chain id than that of the stored chain is refused', () => {
  expect(() => chainIdFor(stored(7), 'dir', 8)).toThrow('has the chain id 7, not 8')
  expect(() => chainIdFor(stored(), 'dir', 8)).toThrow('has the chain id 31337, not 8')
})
