import { mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFolderScan } from './folderScan.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-scan-'))
})
afterEach(() => rm(folder, { recursive: true }))

const write = (name: string, text: string) => writeFile(join(folder, name), text)

test('files and folders, without hidden ones and those of package managers', async () => {
  await mkdir(join(folder, 'oracles/deep'), { recursive: true })
  for (const hidden of ['node_modules', '.git']) await mkdir(join(folder, hidden))
  for (const name of [
    ...['policy.rego', 'oracles/deep/a.js', 'policy.rego~', '.published.json', '.policy.rego.swp'],
    ...['node_modules/a.js', '.git/HEAD'],
  ])
    await write(name, 'x')
  await symlink(join(folder, 'missing'), join(folder, 'broken.json'))
  const { files, directories } = await createFolderScan(folder)()
  const names = (paths: Iterable<string>) => [...paths].map((path) => relative(folder, path)).sort()
  expect(names(files.keys())).toEqual(['oracles/deep/a.js', 'policy.rego'])
  expect(names(directories)).toEqual(['', 'oracles', 'oracles/deep'])
})

test('only the content counts: a file that is touched, or replaced by its equal, is the same', async () => {
  const scan = createFolderScan(folder)
  await write('a', '1')
  const before = await scan()
  await utimes(join(folder, 'a'), 1, 1)
  expect((await scan()).files).toEqual(before.files)
  await write('.a.tmp', '1')
  await rename(join(folder, '.a.tmp'), join(folder, 'a'))
  expect((await scan()).files).toEqual(before.files)
  // As long as before, and with its time: editors and checkouts restore it.
  await write('a', '2')
  await utimes(join(folder, 'a'), 1, 1)
  expect((await scan()).files).not.toEqual(before.files)
  await rename(join(folder, 'a'), join(folder, 'b'))
  expect([...(await scan()).files.keys()]).toEqual([join(folder, 'b')])
  await rm(join(folder, 'b'))
  expect((await scan()).files.size).toBe(0)
})

test('a folder that is gone is empty', async () => {
  const gone = join(folder, 'gone')
  await expect(createFolderScan(gone)()).resolves.toMatchObject({ files: new Map() })
})
