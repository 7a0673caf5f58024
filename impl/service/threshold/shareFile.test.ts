import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { shareFile } from './shareFile.ts'
import type { StoredShare } from './storedShare.ts'

const address = `0x${'ab'.repeat(20)}` as const
const share = (digit: string): StoredShare => ({
  version: 1,
  session: digit.repeat(64),
  needed: 2,
  members: [],
  place: 1,
  share: digit.repeat(64),
  commitments: [],
})
const completed = (digit: string): StoredShare => ({ ...share(digit), confirmations: [] })

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-share-file-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

it('replaces the share of an uncompleted run, but no completed one', async () => {
  const file = shareFile(join(directory, 'new'), address)
  expect(await file.read()).toBeUndefined()
  await file.keep(share('1'))
  await file.keep(share('2'))
  expect(await file.read()).toEqual(share('2'))
  await file.complete(completed('2'))
  await file.complete(completed('2'))
  await expect(file.complete(completed('3'))).rejects.toMatchObject({
    code: 'state',
    message: 'the share of another key already exists',
  })
  await file.keep(share('4'))
  expect(await file.read()).toEqual(completed('2'))
})

it('lets one of several concurrent writers win, and leaves no draft', async () => {
  const file = shareFile(directory, address)
  const ended = await Promise.allSettled(
    ['5', '6', '7'].map((digit) => file.complete(completed(digit))),
  )
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await readdir(directory)).toEqual([`${address}.json`])
})

it('keeps the state of a resharing, reads that of before, and deletes interrupted writes', async () => {
  const file = shareFile(directory, address)
  await file.complete(completed('1'))
  expect(await file.state()).toEqual({ version: 2, active: completed('1'), abandoned: [] })
  const state = { version: 2, active: completed('1'), abandoned: ['2'.repeat(64)] } as const
  await file.replace({ ...state, abandoned: [...state.abandoned] })
  const draft = join(directory, `.${address}.json.draft.part`)
  const others = join(directory, `.0x${'cd'.repeat(20)}.json.draft.part`)
  await Promise.all([writeFile(draft, '{}'), writeFile(others, '{}')])
  expect(await shareFile(directory, address).state()).toEqual(state)
  expect(await file.read()).toEqual(completed('1'))
  expect((await readdir(directory)).sort()).toEqual([others.split('/').pop(), `${address}.json`])
})

it('completes the share of a member that has only abandoned runs', async () => {
  const file = shareFile(directory, address)
  await file.replace({ version: 2, abandoned: ['2'.repeat(64)] })
  await file.keep(share('3'))
  expect(await file.read()).toEqual(share('3'))
  await file.complete(completed('3'))
  expect(await file.read()).toEqual(completed('3'))
  await expect(file.complete(completed('4'))).rejects.toThrow('already exists')
})
