import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeStackFile } from 'polgate-local/stackFile.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { publishedFileName } from '../publish/publication.ts'
import type { AuthorStack } from './authorStack.ts'
import { startDev } from './devProcess.ts'
import { runMain } from './runMain.ts'

const templateOf = (name: string) => fileURLToPath(new URL(`../templates/${name}`, import.meta.url))

/** `polgate dev` on a stack of another process. */
export function devSuite(author: () => AuthorStack): void {
  let scratch: string
  let folder: string
  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'svc-dev-'))
    folder = join(scratch, 'signed-intent')
    await cp(templateOf('signed-intent'), folder, { recursive: true })
  })
  afterAll(() => rm(scratch, { recursive: true }))

  /** Asks the stack for its mocks, or replaces them. */
  const control = async (body?: object): Promise<unknown> => {
    const change = {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }
    const { controlUrl } = author().stack.description
    return await (await fetch(`${controlUrl}/mocks`, body === undefined ? {} : change)).json()
  }

  test('Ctrl-C while it publishes leaves a state from which publish continues', async () => {
    const dev = startDev([folder, '--target', author().file, '--no-tests'], scratch)
    await dev.next('changed')
    const { code, stderr } = await dev.end()
    expect([code, stderr]).toEqual([0, ''])
    await expect.poll(dev.processes).toEqual([])
    const kept = await readFile(join(folder, publishedFileName), 'utf8').catch(() => undefined)
    const [before] = kept === undefined ? [] : JSON.parse(kept).publications
    const { stdout } = await author().run('policy', 'publish', folder, '--json')
    const { client, policy, transactions } = JSON.parse(stdout)
    expect(transactions).toBeLessThanOrEqual(2)
    if (before?.policy !== undefined) expect(policy).toBe(before.policy)
    if (before?.client !== undefined) expect(client).toBe(before.client.address)
  })

  test('it continues what publish has published, and leaves the stack running', async () => {
    const dev = startDev([folder, '--target', author().file, '--no-tests'], scratch)
    const { client } = JSON.parse(await readFile(join(folder, publishedFileName), 'utf8'))
      .publications[0]
    const [started] = await dev.idle()
    expect(started).toMatchObject({ ownStack: false })
    expect(dev.events.find(({ event }) => event === 'applied')).toMatchObject({
      ...{ client: client.address, transactions: 0, mocks: false },
    })
    const params = join(folder, 'params.json')
    const { max_ether: _, ...rest } = JSON.parse(await readFile(params, 'utf8'))
    // Saves in quick succession make one run.
    for (const max_ether of [5, 6, 0])
      await writeFile(params, JSON.stringify({ ...rest, max_ether }))
    expect((await dev.next('applied')).transactions).toBe(1)
    const { before, after } = await dev.next('decision')
    expect([before?.decision, after.decision]).toEqual(['allow', 'deny'])
    expect(dev.events.filter(({ event }) => event === 'changed')).toHaveLength(2)
    expect((await dev.end('SIGTERM')).code).toBe(0)
    const { gatewayUrl } = author().stack.description
    expect((await fetch(`${gatewayUrl}/rpc`, { method: 'POST', body: '{}' })).status).toBeLessThan(
      500,
    )
  })

  test('mocks are replaced in the running stack, which has its own again afterwards', async () => {
    const priced = join(scratch, 'price-feed')
    await cp(templateOf('price-feed'), priced, { recursive: true })
    const mocks = join(priced, 'mocks.yaml')
    const text = await readFile(mocks, 'utf8')
    const price = (usd: number) => text.replace('price: 2000', `price: ${usd}`)
    await writeFile(mocks, price(6_000))
    // The stack of this folder.
    await writeStackFile(author().stack.description, join(scratch, '.svc/stack.json'))
    const dev = startDev(['price-feed', '--running', '--no-tests'], scratch)
    expect((await dev.next('applied')).mocks).toBe(true)
    expect((await dev.next('decision')).after.reason).toBe('value exceeds the limit')
    await dev.next('waiting')
    await writeFile(mocks, price(4_000))
    const { after, before } = await dev.next('decision')
    expect([before?.decision, after.decision]).toEqual(['deny', 'allow'])
    expect(await control()).toEqual({ files: [mocks] })
    expect((await dev.end()).code).toBe(0)
    expect(await control()).toEqual({ files: [] })
  })

  test.each([
    [{}, 'mocks are {files}'],
    [{ files: 'a' }, 'mocks are {files}'],
    [{ files: ['/missing.yaml'] }, '/missing.yaml does not exist'],
  ])('mocks %j are refused by the stack', async (body, error) => {
    expect(await control(body)).toMatchObject({ error: expect.stringContaining(error) })
    expect(await control()).toEqual({ files: [] })
  })

  test.each([
    [['--port', '0'], '--port and --allow-host are about a stack that dev starts'],
    [['--allow-host', 'localhost:1'], '--port and --allow-host are about a stack that dev starts'],
  ])('%j with --target is refused', async (options, text) => {
    const { code, stderr } = await runMain('dev', folder, '--target', author().file, ...options)
    expect(code).toBe(2)
    expect(stderr).toContain(text)
  })

  test('a folder that is not a package is refused before anything starts', async () => {
    const { code, stdout, stderr } = await runMain('dev', scratch)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('has no policy.yaml')
  })
}
