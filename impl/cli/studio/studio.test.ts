import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type StudioStack, startStudioStack } from 'polgate-studio/testing/startStudioStack.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runMain } from '../testing/runMain.ts'
import { startProcess } from '../testing/runProcess.ts'

let running: StudioStack
let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'studio-target-'))
  running = await startStudioStack('--no-studio')
})
afterAll(async () => {
  await running.close()
  await rm(directory, { recursive: true })
})

async function targetFile(name: string, content: object): Promise<string> {
  const path = join(directory, `${name}.json`)
  await writeFile(path, JSON.stringify(content))
  return path
}

describe('polgate start --no-studio', () => {
  it('serves none of it', async () => {
    expect(running.stack.studioUrl).toBeUndefined()
    const urls = Object.entries(running.stack).filter(([name]) => name.endsWith('Url'))
    expect(urls.length).toBeGreaterThanOrEqual(5)
    for (const [name, url] of urls)
      for (const path of ['/', '/index.html', '/api/target']) {
        const response = await fetch(`${url}${path}`)
        const text = await response.text()
        expect([name, path, text.includes('Studio')]).toEqual([name, path, false])
        expect([name, path, response.ok]).toEqual([name, path, false])
      }
  })
})

describe('polgate studio --target', () => {
  it('shows a gateway read-only, keeps its key, and ends with a signal', async () => {
    const { gatewayUrl, explorerUrl, chain, apiKeys } = running.stack
    const file = await targetFile('gateway', {
      ...{ name: 'My gateway', gatewayUrl, explorerUrl, keys: { read: '${READ_KEY}' } },
      chain: {
        ...{ rpcUrl: chain.rpcUrl, chainId: chain.chainId },
        ...{ taskManager: chain.taskManager, operatorRegistry: chain.operatorRegistry },
      },
    })
    const env = { ...process.env, READ_KEY: apiKeys.read }
    const studio = startProcess(['studio', '--target', file, '--port', '0', '--json'], { env })
    const line = await new Promise<string>((resolve) => {
      studio.child.stdout!.once('data', (chunk: Buffer) => resolve(String(chunk)))
    })
    const { studioUrl } = JSON.parse(line) as { studioUrl: string }
    const { origin, hash } = new URL(studioUrl)
    const ask = async (path: string, body?: object) => {
      const response = await fetch(`${origin}/api${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${hash.slice('#token='.length)}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: response.status, text: await response.text() }
    }
    const target = await ask('/target')
    expect(JSON.parse(target.text)).toMatchObject({
      ...{ name: 'My gateway', readOnly: true, keyNames: ['read'] },
      has: { explorer: true, chain: true, control: false },
    })
    const tasks = await ask('/explorer/v1/task')
    expect([tasks.status, JSON.parse(tasks.text)]).toMatchObject([200, { total: 0 }])
    expect((await ask('/chain', { id: 1, method: 'eth_blockNumber', params: [] })).status).toBe(200)
    expect((await ask('/chain', { id: 1, method: 'evm_mine', params: [] })).status).toBe(403)
    expect((await ask('/control/operators')).status).toBe(404)
    studio.child.kill('SIGINT')
    const { code, stdout, stderr } = await studio.ended
    expect(code).toBe(0)
    for (const text of [target.text, tasks.text, stdout, stderr])
      expect(text).not.toContain(apiKeys.read)
  })

  it.each([
    ['a file that is missing', [], 'none.json', 'cannot read'],
    ['a file without a gateway', [], { command: { run: ['true'] } }, 'names no gatewayUrl'],
    ['a file without a key', [], { gatewayUrl: 'http://127.0.0.1:1' }, 'has no key to read with'],
    ['an invalid port', ['--port', 'x'], { gatewayUrl: 'http://127.0.0.1:1' }, 'is not a port'],
  ])('refuses %s', async (name, options, content, text) => {
    const file =
      typeof content === 'string' ? join(directory, content) : await targetFile(name, content)
    const { code, stdout, stderr } = await runMain('studio', '--target', file, ...options)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(text)
  })

  it('needs a target', async () => {
    const { code, stderr } = await runMain('studio')
    expect([code, stderr]).toEqual([2, expect.stringContaining('--target')])
  })
})
