import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { mountSmallDisk } from 'polgate-lib/files/smallDisk.fixture.ts'
import { afterAll, afterEach, expect, it } from 'vitest'
import { contentHealth } from './contentHealth.ts'

const cleanup = createCleanupStack()
afterEach(cleanup.close)

const well = { unreadable: undefined, unwritable: undefined }

async function newDirectory() {
  const directory = await mkdtemp(join(tmpdir(), 'contents-'))
  cleanup.defer(() => rm(directory, { recursive: true, force: true }))
  return directory
}

it('finds a directory well, and leaves nothing in it', async () => {
  const directory = await newDirectory()
  expect(await contentHealth(directory)).toEqual(well)
  expect(await readdir(directory)).toEqual([])
})

it('finds a directory well that is created with its first content', async () => {
  expect(await contentHealth(join(await newDirectory(), 'later'))).toEqual(well)
})

it('says that a file in place of the directory cannot be read, without its path', async () => {
  const directory = await newDirectory()
  await writeFile(join(directory, 'file'), '')
  expect(await contentHealth(join(directory, 'file'))).toEqual({
    unreadable: 'the local content store cannot be read: it is not a directory',
    unwritable: undefined,
  })
})

const disk = mountSmallDisk('8m')
afterAll(() => disk?.close())

it.runIf(disk !== undefined)('says that the disk is full or read-only, and its end', async () => {
  const { directory, fill, free, readOnly } = disk!
  fill()
  expect((await contentHealth(directory)).unwritable).toMatch(/cannot be written: .*full/)
  free()
  expect(await contentHealth(directory)).toEqual(well)
  readOnly(true)
  expect((await contentHealth(directory)).unwritable).toMatch(/cannot be written: it is read-only/)
  readOnly(false)
  expect(await contentHealth(directory)).toEqual(well)
})
