import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildOracle } from '../../fixtures/oracles/build.ts'
import { contentIdOf } from '../content/contentId.ts'
import { simulatePolicyData } from './simulatePolicyData.ts'

let cacheDir: string
beforeAll(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'simulate-'))
})
afterAll(() => rm(cacheDir, { recursive: true }))

test('a file is run once, and named by its content id', async () => {
  const component = await buildOracle('echo')
  const answer = await simulatePolicyData(component, '{"a":1}', { clock: Date, cacheDir })
  expect(answer).toMatchObject({ cid: contentIdOf(component), json: { echo: { a: 1 } } })
})

test('a file that is no oracle says which it is', async () => {
  const component = await buildOracle('wasi-http')
  await expect(simulatePolicyData(component, '{}', { clock: Date, cacheDir })).rejects.toThrow(
    'the component of the given file imports wasi:http/types@0.2.0',
  )
})
