import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const svc = fileURLToPath(new URL('./polgate.mjs', import.meta.url))
const run = promisify(execFile)
let home: string
let data: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'svc-damaged-'))
  data = join(home, 'data')
  await mkdir(join(data, 'store', 'cluster'), { recursive: true })
})
afterEach(() => rm(home, { recursive: true, force: true }))

type Failed = { readonly code: number; readonly stderr: string }

/** Each makes `data` unusable; the error names the folder and the next step. */
const cases: readonly (readonly [string, () => Promise<unknown>, folder: string, step: string])[] =
  [
    [
      'a chain state truncated in both generations',
      async () => {
        await writeFile(join(data, 'deployment.json'), '{}')
        await writeFile(join(data, 'chain.json'), '{"kept":{"sha256":"')
        await writeFile(join(data, 'chain.previous.json'), '')
      },
      '',
      'polgate snapshot load FILE',
    ],
    [
      'a missing chain state',
      () => writeFile(join(data, 'deployment.json'), '{}'),
      '',
      'polgate snapshot load FILE',
    ],
    [
      'a truncated deployment.json',
      () => writeFile(join(data, 'deployment.json'), '{"protocol":{'),
      'deployment.json',
      'polgate snapshot load FILE',
    ],
    [
      'a database of another version',
      () => writeFile(join(data, 'store', 'cluster', 'PG_VERSION'), 'nonsense'),
      'store',
      'polgate snapshot load FILE',
    ],
    [
      'a lock of a running process',
      () => writeFile(join(data, 'store', `writer-${process.pid}-000000000000.lock`), '\0'),
      'store',
      'delete',
    ],
  ]

describe('polgate start', { timeout: 300_000 }, () => {
  it.each(cases)('reports the path and the next step for %s', async (_, harm, folder, step) => {
    await harm()
    const ports = ['--port', '0', '--chain-port', '0', '--explorer-port', '0']
    const words = [svc, 'start', ...ports, '--data-dir', 'data', '--exec', 'true']
    const failed = (await run(process.execPath, words, { cwd: home }).catch(
      (error: unknown) => error,
    )) as Failed
    expect(failed).toMatchObject({ code: 2, stderr: expect.stringContaining('error: ') })
    expect(failed.stderr).toContain(join(data, folder))
    expect(failed.stderr).toContain(step)
    expect(failed.stderr).not.toMatch(/\n\s+at /)
  })
})
