import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withFileLock } from './fileLock.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('work under one lock runs sequentially, whether it fails or not', async () => {
  let running = 0
  let most = 0
  const work = async (at: number) => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setTimeout(resolve, 5))
    running -= 1
    if (at % 2 === 0) throw new Error('failed')
    return at
  }
  const lock = join(folder, 'deep', 'lock')
  const all = [1, 2, 3, 4].map((at) => withFileLock(lock, () => work(at)).catch(() => 'failed'))
  expect((await Promise.all(all)).sort()).toEqual([1, 3, 'failed', 'failed'])
  expect(most).toBe(1)
  expect(await readdir(join(folder, 'deep'))).toEqual([])
})

test('an abandoned lock is ignored', async () => {
  const lock = join(folder, 'lock')
  await mkdir(lock)
  const longAgo = new Date(Date.now() - 3_600_000)
  await utimes(lock, longAgo, longAgo)
  expect(await withFileLock(lock, async () => 'done')).toBe('done')
})

test('work runs without a lock if none can be created', async () => {
  const file = join(folder, 'file')
  await writeFile(file, '')
  expect(await withFileLock(join(file, 'lock'), async () => 'done')).toBe('done')
})
