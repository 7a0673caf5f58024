import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'
import { runMain } from '../testing/runMain.ts'

/** Runs `polgate policy-data simulate` in this process, with a temporary folder per test file. */
export function oracleCommand() {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-oracle-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  const file = (name: string) => join(folder, name)
  return {
    simulate: (...args: string[]) => runMain('policy-data', 'simulate', ...args),
    file,
    write: async (name: string, content: string | Uint8Array) => {
      await writeFile(file(name), content)
      return file(name)
    },
  }
}

/** Path of a WAT component in `fixtures/oracles`. */
export const oracleSource = (name: string) =>
  fileURLToPath(new URL(`../../../fixtures/oracles/${name}/oracle.wat`, import.meta.url))
