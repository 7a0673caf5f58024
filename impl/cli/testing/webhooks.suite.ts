import { readFile, stat, writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { taskManagerAbi } from 'polgate-chain/artifacts/abis.ts'
import { verifyWebhook } from 'polgate-client/index.ts'
import { chainRpc } from 'polgate-lib/http/chainRpc.ts'
import { drain, listen } from 'polgate-lib/http/listen.ts'
import { encodeFunctionData } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { failureTypes } from '../webhooks/triggerFailures.ts'
import type { AuthorStack } from './authorStack.ts'
import { runMain } from './runMain.ts'
import { type Running, startProcess } from './runProcess.ts'

type Received = { readonly rawHeaders: readonly string[]; readonly body: Buffer }

/** `polgate webhooks`. */
export function webhooksSuite(author: () => AuthorStack): void {
  const trigger = async (...args: readonly string[]) => {
    const ran = await author().run('webhooks', 'trigger', ...args, '--json')
    return { ...ran, outcomes: ran.stdout === '' ? [] : JSON.parse(ran.stdout) }
  }
  afterEach(() => vi.unstubAllEnvs())

  describe('a listener that forwards', () => {
    const received: Received[] = []
    let answers: ((response: ServerResponse) => void)[] = []
    const program = createServer(async (request, response) => {
      received.push({ rawHeaders: request.rawHeaders, body: await buffer(request) })
      const answer = answers.shift()
      if (answer === undefined) response.end()
      else answer(response)
    })
    let listening: Running
    let secretFile: string
    let lines: Record<string, unknown>[]
    beforeAll(async () => {
      const { url } = await listen(program)
      secretFile = join(author().directory, 'webhook.secret')
      const args = [
        '--forward-to',
        `${url}/hook?a=b`,
        '--secret-file',
        secretFile,
        '--timeout',
        '1',
      ]
      listening = startProcess([
        ...['webhooks', 'listen', ...args, '--json', '--target', author().file],
      ])
      lines = []
      let text = ''
      listening.child.stdout!.on('data', (piece: Buffer) => {
        const parts = `${text}${piece}`.split('\n')
        text = parts.pop()!
        lines.push(...parts.map((line) => JSON.parse(line)))
      })
      await vi.waitFor(() => expect(lines).toHaveLength(1), 20_000)
    })
    afterAll(async () => {
      listening.child.kill('SIGKILL')
      await drain(program)
    })
    afterEach(() => {
      received.length = 0
      answers = []
      lines.length = 1
    })
    const answering = (status: number) => (response: ServerResponse) =>
      void response.writeHead(status).end()

    test('receives each failure type, for real; the stack works afterwards', async () => {
      const { code, outcomes, stderr } = await trigger('all')
      expect(stderr).toBe('')
      expect(outcomes).toMatchObject(
        failureTypes.map((type) => ({
          type,
          notification: { type, outcome: 'delivered', attempts: 1 },
        })),
      )
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      const secret = (await readFile(secretFile, 'utf8')).trim()
      expect((await stat(secretFile)).mode & 0o777).toBe(0o600)
      for (const [at, { rawHeaders, body }] of received.entries()) {
        const verified = await verifyWebhook(body, rawHeaders, secret)
        expect(verified.failure_type).toBe(failureTypes[at])
        expect(rawHeaders).toContain('X-Service-Signature')
      }
      const deliveries = lines.slice(1)
      expect(deliveries.map(({ type }) => type)).toEqual(failureTypes)
      for (const line of deliveries) expect(line).toMatchObject({ verified: true, status: 200 })
      const works = await author().run('task', 'create', '--client', 'cap', '--to', 'recipient')
      expect(works).toMatchObject({ code: 0, stderr: '' })
    })

    test('gives the status of the program to the service, which retries or not', async () => {
      answers = [answering(503), answering(200)]
      const retried = await trigger('timeout')
      expect(retried.outcomes[0].notification).toMatchObject({ outcome: 'delivered', attempts: 2 })
      expect(lines.slice(1)).toMatchObject([
        { status: 503, attempt: 1 },
        { status: 200, attempt: 2 },
      ])
      answers = [answering(400)]
      const refused = await trigger('timeout')
      expect(refused.code).toBe(1)
      const error = 'answered 400'
      expect(refused.outcomes[0].notification).toMatchObject({
        outcome: 'refused',
        lastError: error,
      })
      answers = [() => {}, (response) => response.destroy(), answering(302)]
      const late = await trigger('timeout')
      expect(late.outcomes[0].notification).toMatchObject({ outcome: 'delivered', attempts: 4 })
      expect(lines.slice(4).map(({ status }) => status)).toEqual([504, 502, 302, 200])
      const bodies = new Set(received.slice(-4).map(({ body }) => body.toString()))
      expect(bodies.size).toBe(1)
    })

    test.each([
      ['without a signature', {}, '{}', 401, 'no header X-Service-Signature'],
      [
        'with a wrong one',
        { 'x-service-signature': `sha256=${'0'.repeat(64)}` },
        '{}',
        401,
        'does not match',
      ],
      ['that is too large', {}, 'x'.repeat(1024 * 1024 + 1), 413, 'larger than'],
    ])('a request %s is not forwarded', async (_, headers, body, status, fault) => {
      const url = String(lines[0]!.listening)
      const answer = await fetch(url, { method: 'POST', headers, body })
      expect(answer.status).toBe(status)
      await expect.poll(() => lines.length).toBe(2)
      expect(lines[1]).toMatchObject({ verified: false, status })
      expect(lines[1]!.fault).toContain(fault)
      expect(received).toEqual([])
      expect((await fetch(url)).status).toBe(405)
    })

    test('a webhook of the key is not replaced without being asked', async () => {
      const { code, stdout, stderr } = await author().run('webhooks', 'listen')
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toContain('has a webhook')
      expect((await trigger('timeout')).outcomes[0].notification).toMatchObject({
        outcome: 'delivered',
      })
    })

    test('Ctrl-C while something of the stack fails restores it', async () => {
      const { chain, roles } = author().stack.description
      const mayPost = async () => {
        const args = [roles!.aggregator as `0x${string}`] as const
        const data = encodeFunctionData({ abi: taskManagerAbi, functionName: 'isAggregator', args })
        const call = { to: chain.taskManager, data }
        return BigInt(String(await chainRpc(chain.rpcUrl, 'eth_call', [call, 'latest']))) === 1n
      }
      const type = 'onchain_submission_failed'
      const running = startProcess(['webhooks', 'trigger', type, '--target', author().file])
      await expect.poll(mayPost, { interval: 1, timeout: 20_000 }).toBe(false)
      running.child.kill('SIGINT')
      await running.ended
      expect(await mayPost()).toBe(true)
    })

    test('Ctrl-C removes the webhook, and the secret is nowhere in the output', async () => {
      listening.child.kill('SIGINT')
      const { code, stdout, stderr } = await listening.ended
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).not.toContain((await readFile(secretFile, 'utf8')).trim())
      const { code: after, outcomes } = await trigger('timeout')
      expect(after).toBe(0)
      expect(outcomes[0].notification).toMatchObject({ outcome: 'unwanted' })
    })
  })

  test('at a remote gateway, what is not possible is refused', async () => {
    const { gatewayUrl, clients, chain } = author().stack.description
    const file = join(author().directory, 'remote.yaml')
    const { rpcUrl, chainId, taskManager, operatorRegistry } = chain
    const { sender } = author().stack.description.accounts
    await writeFile(
      file,
      JSON.stringify({
        ...{ gatewayUrl, keys: { rpc: `\${RPC_KEY}` } },
        chain: { rpcUrl, chainId, taskManager, operatorRegistry },
        accounts: { sender: { address: sender.address, privateKey: `\${SENDER_KEY}` } },
      }),
    )
    vi.stubEnv('RPC_KEY', author().stack.description.apiKeys.rpc)
    vi.stubEnv('SENDER_KEY', sender.privateKey)
    const run = (...args: readonly string[]) => runMain('webhooks', ...args, '--target', file)
    const client = ['--client', clients['allow-list']!.policyClient]
    const possible = await run('trigger', 'timeout', ...client)
    expect(possible).toMatchObject({ code: 0, stderr: '' })
    expect(possible.stdout).toContain('only a local stack reports deliveries')
    const all = await run('trigger', 'all', ...client)
    expect(all.code).toBe(2)
    expect(all.stdout.match(/^skipped/gm)).toHaveLength(failureTypes.length - 1)
    for (const [args, text] of [
      [['trigger', 'channel_error', ...client], 'only a local stack allows'],
      [['trigger', 'policy_evaluation_failed', ...client], 'trapping-oracle'],
      [['listen'], 'cannot reach a listener'],
      [['listen', '--url', 'https://tunnel.example'], 'may have a webhook'],
    ] as const) {
      const ran = await run(...args)
      expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 2, stdout: '' })
      expect(ran.stderr).toContain(text)
    }
  })

  test.each([
    [['listen', '--forward-to', 'ftp://127.0.0.1'], 'not an HTTP URL'],
    [['listen', '--forward-to', 'http://a:b@127.0.0.1'], 'without credentials'],
    [['listen', '--types', 'timeout,timeouts'], 'Use some of'],
    [['listen', '--secret-env', 'NO_SUCH_VARIABLE'], 'not the name of a variable'],
    [['listen', '--secret-env', 'A', '--secret-file', 'b'], 'exclude each other'],
    [['listen', '--secret-file', '/dev/null/x'], 'cannot be read or written'],
    [['listen', '--timeout', '61'], 'from 1 to 60'],
    [['trigger', 'timeouts'], 'Allowed choices'],
    [['trigger', 'timeout', '--client', 'none'], 'neither an address nor known'],
  ])('%j is refused', async (args, text) => {
    const { code, stdout, stderr } = await author().run('webhooks', ...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(text)
  })
}
