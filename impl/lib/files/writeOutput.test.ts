import { lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeOutput } from './writeOutput.ts'

let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'output-'))
})
afterAll(() => rm(home, { recursive: true, force: true }))

it('replaces a file in one step, with its permissions', async () => {
  const path = join(home, 'report')
  await writeFile(path, 'earlier', { mode: 0o640 })
  const { ino } = await stat(path)
  await writeOutput(path, 'later')
  expect(await readFile(path, 'utf8')).toBe('later')
  const after = await stat(path)
  expect(after.ino).not.toBe(ino)
  expect(after.mode & 0o777).toBe(0o640)
  expect(await readdir(home)).toEqual(['report'])
})

it.skipIf(process.platform === 'win32')('follows links, and writes to devices', async () => {
  const target = join(home, 'target')
  const path = join(home, 'link')
  await writeFile(target, 'earlier')
  await symlink('target', path)
  await writeOutput(path, 'later')
  expect((await lstat(path)).isSymbolicLink()).toBe(true)
  expect(await readFile(target, 'utf8')).toBe('later')
  const device = join(home, 'device')
  await symlink('/dev/null', device)
  await writeOutput(device, 'later')
  expect((await stat('/dev/null')).isCharacterDevice()).toBe(true)
  await expect(writeOutput(join(home, 'none', 'file'), '')).rejects.toThrow('ENOENT')
})
