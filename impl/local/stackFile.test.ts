import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { afterEach, expect, it } from 'vitest'
import { writeStackFile } from './stackFile.ts'

const cleanup = createCleanupStack()
afterEach(cleanup.close)

const description = { pid: process.pid } as StackDescription
const modeOf = async (path: string) => (await stat(path)).mode & 0o777

async function folder(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-stack-'))
  cleanup.defer(() => rm(directory, { recursive: true, force: true }))
  return directory
}

it.skipIf(process.platform === 'win32')('has keys that only its owner may read', async () => {
  const path = join(await folder(), '.svc/stack.json')
  await writeStackFile(description, path)
  expect(await modeOf(path)).toBe(0o600)
  expect(await modeOf(join(path, '..'))).toBe(0o700)
})

it.skipIf(process.platform === 'win32')('closes a file that others could read', async () => {
  const path = join(await folder(), 'stack.json')
  await writeFile(path, '')
  await chmod(path, 0o644)
  await writeStackFile(description, path)
  expect(await modeOf(path)).toBe(0o600)
})
