import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { replaceFile, replaceFileSync } from './replaceFile.ts'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'replace-file-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

const ways = [
  { name: 'replaceFile', write: replaceFile },
  {
    name: 'replaceFileSync',
    write: async (...args: Parameters<typeof replaceFileSync>) => replaceFileSync(...args),
  },
]

describe.each(ways)('$name', ({ write }) => {
  it('writes a new file and replaces an existing one, in pieces and with a mode', async () => {
    const path = join(home, 'file')
    await write(path, 'old', { mode: 0o600 })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    await write(path, ['ne', new Uint8Array([0x77])])
    expect(await readFile(path, 'utf8')).toBe('new')
    expect(await readdir(home)).toEqual(['file'])
  })

  it('writes pieces of any size, and characters that fill them, in order', async () => {
    const path = join(home, 'file')
    const long = 'é€\u{1f600}'.repeat(9_000)
    const pieces = ['a', long, '', Buffer.from('é'), Buffer.from(long)]
    for (let i = 0; i < 3_000; i++) pieces.push('€'.repeat(i % 40), Buffer.from(`${i}`))
    await write(path, pieces)
    expect(await readFile(path)).toEqual(Buffer.concat(pieces.map((piece) => Buffer.from(piece))))
    await write(path, [])
    expect(await readFile(path, 'utf8')).toBe('')
  })

  it('keeps an existing file with the option exclusive', async () => {
    const path = join(home, 'file')
    await write(path, 'old', { exclusive: true })
    await expect(write(path, 'new', { exclusive: true })).rejects.toMatchObject({ code: 'EEXIST' })
    expect(await readFile(path, 'utf8')).toBe('old')
    expect(await readdir(home)).toEqual(['file'])
  })

  it('keeps the old content and leaves no draft when it fails', async () => {
    const path = join(home, 'file')
    await write(path, 'old')
    const broken = {
      get length(): number {
        throw new Error('broken')
      },
    } as unknown as string
    await expect(write(path, [broken])).rejects.toThrow()
    expect(await readFile(path, 'utf8')).toBe('old')
    expect(await readdir(home)).toEqual(['file'])
    await expect(write(join(home, 'missing', 'file'), 'x')).rejects.toMatchObject({
      code: 'ENOENT',
    })
  })
})

it.skipIf(process.platform === 'win32')(
  'is atomic, even if the writer is killed repeatedly',
  async () => {
    const path = join(home, 'file')
    await writeFile(path, 'a'.repeat(300_000))
    const script = `
      import { replaceFileSync } from ${JSON.stringify(new URL('./replaceFile.ts', import.meta.url).href)}
      console.log('ready')
      for (;;) for (const letter of 'ab') replaceFileSync(${JSON.stringify(path)}, letter.repeat(300_000))`
    for (let round = 0; round < 3; round++) {
      const child = spawn(
        process.execPath,
        ['--import', 'tsx', '--input-type=module', '-e', script],
        {
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      )
      await once(child.stdout, 'data')
      await new Promise((resolve) => setTimeout(resolve, 17 * round))
      child.kill('SIGKILL')
      await once(child, 'exit')
      const text = await readFile(path, 'utf8')
      expect(text.length).toBe(300_000)
      expect(new Set(text).size).toBe(1)
    }
  },
)
