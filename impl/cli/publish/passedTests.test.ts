import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { digestsOf, passedBefore, recordPassed } from './passedTests.ts'

let home: string
let files: string[]
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'svc-tested-'))
  files = ['policy.yaml', 'policy.rego', 'mocks.yaml'].map((name) => join(home, name))
  for (const file of files) await writeFile(file, file)
})
afterEach(() => rm(home, { recursive: true, force: true }))

const warnings = [{ id: 'no-tests', place: 'a', message: 'b', help: 'c' }]
const given = () => files.slice(0, 2)
const record = async (build?: string) =>
  await recordPassed(home, await digestsOf(given()), { files, warnings }, build)

it('knows the warnings of tests that passed with the same contents and build', async () => {
  expect(await passedBefore(home, given(), 'one')).toBeUndefined()
  await record('one')
  expect(await passedBefore(home, given(), 'one')).toEqual(warnings)
  expect(await passedBefore(home, given(), 'other')).toBeUndefined()
})

it.each([0, 1, 2])('knows nothing after a change of file %i', async (at) => {
  await record('one')
  await writeFile(files[at]!, 'changed')
  expect(await passedBefore(home, given(), 'one')).toBeUndefined()
})

it('knows nothing after a file was added or removed', async () => {
  await record('one')
  const added = join(home, 'cases.yaml')
  await writeFile(added, '')
  expect(await passedBefore(home, [...given(), added], 'one')).toBeUndefined()
  await rm(files[2]!)
  expect(await passedBefore(home, given(), 'one')).toBeUndefined()
})

it('records nothing if a file changed while the tests ran, or in a clone', async () => {
  const before = await digestsOf(given())
  await writeFile(files[0]!, 'changed')
  await recordPassed(home, before, { files, warnings }, 'one')
  expect(await passedBefore(home, given(), 'one')).toBeUndefined()
  await record()
  expect(await passedBefore(home, given())).toBeUndefined()
})
