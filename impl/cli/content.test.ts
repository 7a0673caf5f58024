import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { startFixtureHost } from 'polgate-fixtures/host/fixtureHost.ts'
import { createContentStore } from 'polgate-service/content/contentStore.ts'
import { serveContent } from 'polgate-service/content/serveContent.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runMain } from './testing/runMain.ts'

const svc = fileURLToPath(new URL('./polgate.mjs', import.meta.url))
const hello = 'bafkreicysg23kiwv34eg2d7qweipxwosdo2py4ldv42nbauguluen5v6am'
const helloV0 = 'QmZULkCELmmk5XNfCgTnCyFgAVxBRBXyDHGGMVoLFLiXEN'

let home: string
beforeAll(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'polgate content ')))
  await writeFile(join(home, 'hello.txt'), 'hello\n')
  await writeFile(join(home, 'large'), Buffer.alloc(3_000_000, 'abc'))
})
afterAll(() => rm(home, { recursive: true }))

async function run(args: readonly string[], input: string | Buffer = '') {
  const env = { ...process.env, NO_COLOR: '1' }
  const child = spawn(process.execPath, [svc, 'content', ...args], { cwd: home, env })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'close'),
    buffer(child.stdout),
    text(child.stderr),
  ])
  return { code: code as number, stdout: stdout.toString(), bytes: stdout, stderr }
}

/** The same in this process, for commands that read no stream and write lines. */
async function here(args: readonly string[]) {
  const before = process.cwd()
  process.chdir(home)
  try {
    return await runMain('content', ...args)
  } finally {
    process.chdir(before)
  }
}

const add = (...args: string[]) => here(['add', '--directory', 'store', ...args])

describe('polgate content add', () => {
  it('prints the ids of IPFS tools, and stores the files', async () => {
    const args = ['add', '--directory', 'store', 'hello.txt', 'large']
    const { code, stdout, stderr } = await run(args)
    expect([code, stderr]).toEqual([0, ''])
    const [first, second] = stdout.trim().split('\n')
    expect(first).toBe(hello)
    const store = createContentStore({ directory: join(home, 'store') })
    expect((await store.get(hello)).length).toBe(6)
    expect((await store.get(second!)).length).toBe(3_000_000)
  })

  it('prints the ids of `ipfs add`', async () => {
    expect((await add('--cid-version', '0', 'hello.txt')).stdout).toBe(`${helloV0}\n`)
    const stdin = await run(['add', '--directory', 'store', '--cid-version', '0', '-'], 'hello\n')
    expect(stdin.stdout).toBe(`${helloV0}\n`)
  })

  it('prints JSON, and stores nothing with --only-hash', async () => {
    const options = ['--json', '--only-hash', '--chunker', 'size-262144', '--max-file-links', '174']
    const { stdout } = await here(['add', '--directory', 'nowhere', ...options, 'large'])
    expect(JSON.parse(stdout)).toEqual({
      file: 'large',
      cid: expect.stringMatching(/^bafybei/),
      bytes: 3_000_000,
      blocks: 13,
      cidVersion: 1,
      chunkBytes: 262_144,
      maxLinks: 174,
      rawLeaves: true,
    })
    expect(await readdir(home)).not.toContain('nowhere')
  })

  it.each([
    [['.'], '. is a directory'],
    [['missing'], 'Cannot read missing'],
    [['/dev/zero'], '/dev/zero is larger than 64 MiB'],
    [['--cid-version', '2', 'hello.txt'], 'Must be 0 or 1'],
    [['--chunker', 'rabin', 'hello.txt'], 'Must be size-BYTES'],
    [['--max-file-links', '1', 'hello.txt'], 'Must be a number from 2 to 4096'],
    [[], "missing required argument 'file'"],
  ])('%j is refused', async (args, message) => {
    const { code, stdout, stderr } = await add(...args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
  })

  it('reports the path that it cannot write to', async () => {
    const { code, stderr } = await here(['add', '--directory', 'hello.txt', 'large'])
    expect(code).toBe(2)
    expect(stderr).toContain(
      `${join(home, 'hello.txt')}: the local content store cannot be written: it is not a directory`,
    )
  })
})

describe('polgate content get', () => {
  it('writes only the bytes, for every form of the id', async () => {
    await add('hello.txt', 'large')
    for (const id of [hello, `ipfs://${hello}`, `/ipfs/${hello}`]) {
      const { code, stdout, stderr } = await run(['get', '--directory', 'store', id])
      expect([code, stdout, stderr]).toEqual([0, 'hello\n', ''])
    }
    const { stdout } = await add('large')
    const large = await run(['get', '--directory', 'store', stdout.trim()])
    expect(large.bytes.equals(await readFile(join(home, 'large')))).toBe(true)
    const written = await here(['get', '--directory', 'store', hello, '-o', 'again', '--json'])
    expect(JSON.parse(written.stdout)).toEqual({ cid: hello, bytes: 6, output: 'again' })
    expect(await readFile(join(home, 'again'), 'utf8')).toBe('hello\n')
  })

  it('fetches from the gateways of --gateway', async () => {
    const content = createContentStore({ directory: join(home, 'far') })
    const cid = await content.put(await readFile(join(home, 'large')))
    const host = await startFixtureHost({ ipfs: serveContent(content) })
    try {
      const options = ['--directory', 'near', '--gateway', host.url]
      const { code, bytes } = await run(['get', ...options, cid])
      expect([code, bytes.length]).toEqual([0, 3_000_000])
      const other = await here(['get', ...options, helloV0])
      expect([other.code, other.stdout]).toEqual([1, ''])
      expect(other.stderr).toContain(`the content ${helloV0} is unavailable: no source has it`)
    } finally {
      await host.stop()
    }
  })

  it.each([
    [['nonsense'], 'nonsense is not a content id', 2],
    [['--gateway', 'nonsense', hello], '--gateway nonsense is not an HTTP URL', 2],
    [[hello, '--json'], '--json requires --output', 2],
  ])('%j is refused', async (args, message, expected) => {
    const { code, stdout, stderr } = await here(['get', '--directory', 'store', ...args])
    expect([code, stdout]).toEqual([expected, ''])
    expect(stderr).toContain(message)
  })
})

describe('polgate content list', () => {
  it('lists blocks and sizes, and detects altered blocks', async () => {
    await here(['add', '--directory', 'listed', 'hello.txt', 'large'])
    const whole = await here(['list', '--directory', 'listed', '--check'])
    expect(whole.code).toBe(0)
    expect(whole.stdout).toContain(`${hello}  6\n`)
    expect(whole.stderr).toContain('5 blocks, 2.9 MiB in ')

    await writeFile(join(home, 'listed', hello), 'Hello\n')
    expect((await here(['list', '--directory', 'listed'])).code).toBe(0)
    const { code, stdout } = await here(['list', '--directory', 'listed', '--check', '--json'])
    expect(code).toBe(1)
    const { blocks } = JSON.parse(stdout) as { blocks: { cid: string; altered: boolean }[] }
    expect(blocks.filter(({ altered }) => altered).map(({ cid }) => cid)).toEqual([hello])
  })

  it('lists nothing in a missing directory', async () => {
    const { code, stdout, stderr } = await here(['list', '--directory', 'nothing'])
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toContain('0 blocks, 0 bytes')
  })
})
