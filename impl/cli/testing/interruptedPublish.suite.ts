import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { chainRpc } from 'polgate-lib/http/chainRpc.ts'
import { drain, listen } from 'polgate-lib/http/listen.ts'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { AuthorStack } from './authorStack.ts'
import { runMain } from './runMain.ts'
import { startProcess } from './runProcess.ts'

const template = fileURLToPath(new URL('../templates/price-feed', import.meta.url))

/** `polgate policy publish` that is killed, and with a target file. */
export function interruptedPublishSuite(author: () => AuthorStack): void {
  let scratch: string
  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'svc-killed-'))
  })
  afterAll(() => rm(scratch, { recursive: true }))
  afterEach(() => vi.unstubAllEnvs())

  /** Without the decision table, whose warnings take seconds. */
  async function packageAt(name: string): Promise<string> {
    const folder = join(scratch, name)
    await cp(template, folder, { recursive: true })
    const file = join(folder, 'policy.yaml')
    await writeFile(file, (await readFile(file, 'utf8')).replace(/^(cases|mocks): .*\n/gm, ''))
    return folder
  }

  test('killed at any transaction, it deploys each contract once', async () => {
    const { description } = author().stack
    const { rpcUrl } = description.chain
    const { address } = description.accounts.owner
    const nonce = async () =>
      Number(await chainRpc(rpcUrl, 'eth_getTransactionCount', [address, 'latest']))
    const before = await nonce()
    const whole = await author().run('policy', 'publish', await packageAt('whole'), '--json')
    expect([whole.code, whole.stderr]).toEqual([0, ''])
    const usual = (await nonce()) - before
    expect(usual).toBe(JSON.parse(whole.stdout).transactions)

    let sent = 0
    let looked = 0
    let kill: ((sent: number, moment: 'before' | 'after') => boolean) | undefined
    let killed = false
    const proxy = createServer(async (request, response) => {
      const body = await text(request)
      const isSend = body.includes('eth_sendRawTransaction')
      if (isSend) sent += 1
      if (body.includes('eth_getTransactionCount')) looked += 1
      if (isSend && kill?.(sent, 'before')) return void response.destroy()
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(rpcUrl, { method: 'POST', headers, body })
      const answered = await answer.text()
      if (killed || (isSend && kill?.(sent, 'after'))) return void response.destroy()
      response.writeHead(answer.status, headers).end(answered)
    })
    const { url } = await listen(proxy)
    const target = join(scratch, 'proxied.json')
    await writeFile(
      target,
      JSON.stringify({ ...description, chain: { ...description.chain, rpcUrl: url } }),
    )
    const folder = await packageAt('killed')
    let first = await nonce()
    try {
      // What each run has sent when it is killed, and whether the last of it arrived.
      for (const [at, moment, arrived] of [
        [1, 'before', 0],
        [1, 'after', 1],
        [1, 'before', 1],
        [2, 'after', 3],
      ] as const) {
        sent = 0
        killed = false
        const running = startProcess(['policy', 'publish', folder, '--json', '--target', target])
        kill = (count, now) => {
          if (count !== at || now !== moment) return false
          killed = true
          running.child.kill('SIGKILL')
          return true
        }
        const { code, stdout } = await running.ended
        expect({ code, stdout, killed }).toEqual({ code: null, stdout: '', killed: true })
        // Anvil answers before it mines.
        await expect.poll(async () => (await nonce()) - first).toBe(arrived)
      }
      // What is sent and not mined yet is waited for.
      const pending = await packageAt('pending')
      const start = await nonce()
      await chainRpc(rpcUrl, 'evm_setAutomine', [false])
      sent = 0
      killed = false
      const running = startProcess(['policy', 'publish', pending, '--json', '--target', target])
      kill = (_, now) => {
        if (now === 'before') return false
        killed = true
        running.child.kill('SIGKILL')
        return true
      }
      await running.ended
      kill = undefined
      killed = false
      expect((await nonce()) - start).toBe(0)
      looked = 0
      const rerun = runMain('policy', 'publish', pending, '--json', '--target', target)
      await vi.waitFor(() => expect(looked).toBeGreaterThan(3), 10_000)
      await chainRpc(rpcUrl, 'evm_setAutomine', [true])
      await chainRpc(rpcUrl, 'evm_mine')
      const ran = await rerun
      expect([ran.code, ran.stderr]).toEqual([0, ''])
      expect((await nonce()) - start).toBe(usual)
      first += usual
    } finally {
      await chainRpc(rpcUrl, 'evm_setAutomine', [true])
      await drain(proxy)
    }
    const { code, stdout, stderr } = await author().run('policy', 'publish', folder, '--json')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({ transactions: usual - 3 })
    expect((await nonce()) - first).toBe(usual)
    const again = await author().run('policy', 'publish', folder, '--json')
    expect(JSON.parse(again.stdout)).toMatchObject({ transactions: 0 })
  })

  test('a target file in YAML is enough to publish, to seal secrets and to create tasks', async () => {
    const { gatewayUrl, chain, accounts, apiKeys, attesters, contentDirectory } =
      author().stack.description
    const { rpcUrl, chainId, taskManager, operatorRegistry, policyFactory } = chain
    const file = join(scratch, 'target.yaml')
    await writeFile(
      file,
      [
        `gatewayUrl: ${gatewayUrl}`,
        `keys: { rpc: "\${RPC_KEY}" }`,
        'chain:',
        `  rpcUrl: ${rpcUrl}`,
        `  chainId: ${chainId}`,
        ...Object.entries({ taskManager, operatorRegistry, policyFactory }).map(
          ([name, address]) => `  ${name}: "${address}"`,
        ),
      ].join('\n'),
    )
    vi.stubEnv('RPC_KEY', apiKeys.rpc)
    vi.stubEnv('DEPLOYER', accounts.owner.privateKey)
    const folder = await packageAt('remote')
    const run = (...args: readonly string[]) => runMain(...args, '--target', file)
    const publish = (...args: readonly string[]) =>
      run('policy', 'publish', folder, '--key', 'DEPLOYER', ...args)
    const where = ['--attester', attesters![0]!, '--directory', contentDirectory!]
    const published = await publish(...where, '--fund', '10ether')
    expect(published.code).toBe(0)
    expect(published.stderr).toMatch(/^note: the contents are in .*: the gateway must find them/)
    expect(published.stdout).not.toContain(accounts.owner.privateKey.slice(2))
    expect((await publish(...where)).stdout).toContain('nothing: the chain is up to date')

    const missing = await run('secrets', 'list', folder, '--missing')
    expect([missing.code, missing.stderr]).toEqual([1, ''])
    const secrets = join(folder, 'oracles/price_feed.test-secrets.json')
    const verified = await run('secrets', 'verify', folder, '--file', secrets)
    expect([verified.code, verified.stderr]).toEqual([0, ''])
    const stored = await run('secrets', 'put', folder, '--file', secrets)
    expect([stored.code, stored.stderr]).toEqual([0, ''])
    expect(await run('secrets', 'list', folder, '--missing')).toMatchObject({ code: 0 })
    const { address } = accounts.sender
    const created = await run('task', 'create', '--package', folder, '--from', address)
    expect([created.code, created.stderr]).toEqual([0, ''])
    // What runs elsewhere is not controlled from here.
    expect(await run('chain', 'mine')).toMatchObject({ code: 2 })
  })
}
