import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { controlRequest } from '../controlRequest.ts'
import type { AuthorStack } from './authorStack.ts'
import { guideBlocks } from './guideBlocks.ts'
import { type Pack, packs } from './packs.ts'
import { runMain } from './runMain.ts'

const page = new URL('../PACKAGE.md', import.meta.url)

/** From the source of a publisher to a spent attestation, by the commands of PACKAGE.md. */
export function packsSuite(author: () => AuthorStack): void {
  let home: string
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'svc-packs-'))
  })
  afterAll(() => rm(home, { recursive: true }))
  afterEach(() => mocked([]))

  async function write(folder: string, files: Readonly<Record<string, unknown>>): Promise<void> {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(
        join(folder, name),
        typeof content === 'string' ? content : JSON.stringify(content),
      )
    }
  }

  /** The stack answers its oracles with these. */
  async function mocked(files: readonly string[]): Promise<void> {
    const response = await controlRequest(author().stack.description.controlUrl!, '/mocks', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ files }),
    })
    await response.body?.cancel()
  }

  /** @returns what the last command prints */
  async function follow(
    commands: readonly string[],
    words: Readonly<Record<string, string>>,
  ): Promise<string> {
    let out = ''
    let task = ''
    for (const command of commands) {
      const [, ...args] = command.replace(/ +#.*/, '').split(/\s+/)
      const known: Readonly<Record<string, string>> = { ...words, TASK: task }
      const own = args.map((word) => word.replace(/\b(SOURCE|PACK|TASK)\b/, (name) => known[name]!))
      const local = own[0] === 'policy' && own[1] !== 'publish'
      const ran = await (local ? runMain(...own) : author().run(...own))
      expect([command, ran.code, ran.code === 0 ? '' : ran.stdout + ran.stderr]).toEqual([
        command,
        0,
        '',
      ])
      out = ran.stdout
      task = /^task {6}(0x[0-9a-f]{64})$/m.exec(out)?.[1] ?? task
    }
    return out
  }

  async function listed(): Promise<readonly string[]> {
    const blocks = await guideBlocks('sh', page)
    const block = blocks.find((text) => text.includes('policy import SOURCE'))!
    return block.split('\n').filter((line) => line.startsWith('polgate '))
  }

  const ofTenant = { 'tenant-7.example.com': { '/v2/*': { json: { cleared: true } } } }

  test.each(Object.entries(packs))('%s', async (name, { source, written }: Pack) => {
    const [from, to] = [join(home, `${name}-source`), join(home, name)]
    await write(from, source)
    const [importing, ...others] = await listed()
    await follow([importing!], { SOURCE: from, PACK: to })
    await write(to, written)
    const plain = join(home, `${name}.yaml`)
    await writeFile(plain, JSON.stringify({ hosts: ofTenant }))
    await mocked([name === 'tenant' ? plain : join(to, 'mocks.yaml')])
    const commands = others.filter((line) => 'secrets.json' in source || !line.includes('secrets'))
    expect(await follow(commands, { SOURCE: from, PACK: to })).toContain('spent     in block')
  })

  test('a composite of two', async () => {
    const both = join(home, 'both')
    const composed = await runMain(
      ...['policy', 'compose', join(home, 'guard'), join(home, 'chain'), '-o', both],
    )
    expect([composed.code, composed.stdout]).toEqual([0, expect.stringContaining('next:')])
    await mocked([join(both, 'mocks.yaml')])
    const commands = (await listed()).filter((line) => !/ import | secrets /.test(line))
    expect(await follow(commands, { PACK: both })).toContain('spent     in block')
  })
}
