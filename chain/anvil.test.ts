import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { freePort } from 'polgate-lib/http/freePort.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { startAnvil } from './anvil.ts'
import { createChainClient } from './client.ts'
import { AnvilError } from './errors.ts'

const directories: string[] = []
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true })
})

function temporaryFile(name: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'anvil-test-'))
  directories.push(directory)
  return join(directory, name)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !hasEnded(pid)
  } catch {
    return false
  }
}

/** An ended process remains a zombie until its new parent has reaped it. */
function hasEnded(pid: number): boolean {
  if (process.platform !== 'linux') return false
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z')
}

async function waitUntilGone(pid: number): Promise<void> {
  const deadline = Date.now() + 20_000
  while (isRunning(pid) && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

describe('startAnvil', () => {
  it('listens on a free loopback port with the given chain id', async () => {
    const [one, two] = await Promise.all([startAnvil(), startAnvil({ chainId: 84_532 })])
    try {
      expect(one.port).not.toBe(two.port)
      expect(await createChainClient({ rpcUrl: one.url }).getChainId()).toBe(31_337)
      expect(await createChainClient({ rpcUrl: two.url }).getChainId()).toBe(84_532)
    } finally {
      await Promise.all([one.stop(), two.stop()])
    }
  })

  it('forks a chain, on which every account sends without its key', async () => {
    const origin = await startAnvil({ chainId: 84_532 })
    const before = createChainClient({ rpcUrl: origin.url })
    const call = (url: string, method: string, ...params: unknown[]) =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      }).then((response) => response.json() as Promise<{ result: string }>)
    const account = '0x00000000000000000000000000000000000000aa'
    await call(origin.url, 'anvil_setBalance', account, '0xde0b6b3a7640000')
    const fork = await startAnvil({ forkUrl: origin.url, chainId: 84_532 })
    try {
      const { result } = await call(fork.url, 'eth_sendTransaction', { from: account, to: account })
      expect(result).toMatch(/^0x[0-9a-f]{64}$/)
      expect((await call(fork.url, 'eth_chainId')).result).toBe('0x14a34')
      expect(await before.getTransactionCount({ address: account })).toBe(0)
    } finally {
      await Promise.all([fork.stop(), origin.stop()])
    }
  })

  it.skipIf(process.platform === 'win32')('exits when its thread is terminated', async () => {
    const script = `import('tsx/esm/api')
      .then(({ register }) => register())
      .then(() => import('./chain/anvil.ts'))
      .then(({ startAnvil }) => startAnvil())
      .then(({ pid }) => require('node:worker_threads').parentPort.postMessage(pid))`
    const thread = new Worker(script, { eval: true })
    const pid = await new Promise<number>((resolve, reject) => {
      thread.once('message', resolve)
      thread.once('error', reject)
    })
    expect(isRunning(pid)).toBe(true)
    await thread.terminate()
    await waitUntilGone(pid)
    expect(isRunning(pid)).toBe(false)
  })

  it('accepts no web origin', async () => {
    const { url, stop } = await startAnvil()
    try {
      const headers = { origin: 'http://evil.example', 'content-type': 'application/json' }
      const body = '{"jsonrpc":"2.0","id":1,"method":"eth_accounts","params":[]}'
      const answer = await fetch(url, { method: 'POST', headers, body })
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
      const preflight = await fetch(url, {
        method: 'OPTIONS',
        headers: {
          origin: 'http://evil.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type',
        },
      })
      expect(preflight.ok).toBe(false)
      expect(preflight.headers.get('access-control-allow-origin')).toBeNull()
      // A request that a page can send without a preflight is not handled as a call.
      const simple = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'text/plain' },
        body,
      })
      expect(await simple.text()).not.toContain('"result"')
    } finally {
      await stop()
    }
  })

  it('stops its process; stop is idempotent', async () => {
    const { pid = 0, stop } = await startAnvil()
    expect(isRunning(pid)).toBe(true)
    await stop()
    await waitUntilGone(pid)
    expect(isRunning(pid)).toBe(false)
    await stop()
  })

  it.skipIf(process.platform === 'win32')('kills a process that ignores SIGTERM', async () => {
    const { pid = 0, stop } = await startAnvil()
    process.kill(pid, 'SIGSTOP')
    await stop()
    await waitUntilGone(pid)
    expect(isRunning(pid)).toBe(false)
  })

  it.skipIf(process.platform === 'win32')(
    'stop does not wait for a process that has exited',
    async () => {
      const port = await freePort()
      const { pid = 0, stop } = await startAnvil({ port })
      process.kill(pid, 'SIGKILL')
      await waitUntilGone(pid)
      await stop()
      const again = await startAnvil({ port })
      await again.stop()
    },
  )

  it.skipIf(process.platform === 'win32')('exits when its parent process is killed', async () => {
    const script = `import { startAnvil } from './chain/anvil.ts'
      startAnvil().then(({ pid }) => console.log('pid ' + pid))
      setInterval(() => undefined, 1_000)`
    const parent = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script])
    const pid = await new Promise<number>((resolve, reject) => {
      parent.stdout.on('data', (text) => resolve(Number(/pid (\d+)/.exec(String(text))?.[1])))
      parent.stderr.on('data', (text) => reject(new Error(String(text))))
    })
    expect(isRunning(pid)).toBe(true)
    parent.kill('SIGKILL')
    await waitUntilGone(pid)
    expect(isRunning(pid)).toBe(false)
  })

  it.skipIf(process.platform !== 'linux')(
    'is not interrupted by Ctrl-C in the terminal',
    async () => {
      const { pid = 0, stop } = await startAnvil()
      // Fields after the name in parentheses: state, parent, process group.
      const group = (id: number) =>
        readFileSync(`/proc/${id}/stat`, 'utf8').split(') ')[1]?.split(' ')[2]
      expect(group(pid)).not.toBe(group(process.pid))
      await stop()
    },
  )

  it('reports why it does not start', async () => {
    const { port, stop } = await startAnvil()
    await expect(startAnvil({ port })).rejects.toThrow(AnvilError)
    await stop()
    const loadState = temporaryFile('state.json')
    writeFileSync(loadState, '{"block":')
    await expect(startAnvil({ loadState })).rejects.toThrow(/failed to parse json file/)
  })
})
