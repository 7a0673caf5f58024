import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { rpcTransport } from 'polgate-chain/rpcTransport.ts'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { fetch as undiciFetch } from 'undici'
import { createPublicClient, parseAbi } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import { namedFetch } from '../wire/exchange.ts'
import { openUpdateSocket } from '../wire/updateSocket.ts'
import { Untestable } from './conformanceError.ts'
import { failureText, SuiteFault } from './failureText.ts'
import { Unanswered } from './unanswered.ts'

const cleanup = createCleanupStack()
afterEach(cleanup.close)

async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanup.defer(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** An address at which nothing listens. */
async function closedPort(): Promise<string> {
  const server = createSocketServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return `127.0.0.1:${port}`
}

const thrownBy = (run: () => Promise<unknown>): Promise<unknown> =>
  run().then(
    () => expect.fail('it did not fail'),
    (error: unknown) => error,
  )

/** What libraries print and a reader of a report cannot use. */
const raw = /viem|undici|docs:|version:|request arguments|fetch failed|url:|\n/i

describe('of the chain', () => {
  const node = (answer: object, status = 200) =>
    serving((_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...answer }))
    })
  const client = (url: string) =>
    createPublicClient({ transport: rpcTransport(url, { timeout: 500, retryCount: 0 }) })
  const address = `0x${'1'.repeat(40)}` as const
  const abi = parseAbi(['function owner() view returns (address)'])
  const read = (url: string) => client(url).readContract({ address, abi, functionName: 'owner' })

  test.each<[string, () => Promise<unknown>, RegExp]>([
    [
      'an error of the node',
      async () =>
        client(await node({ error: { code: -32000, message: 'header not found' } })).getBalance({
          address,
        }),
      /^eth_getBalance on the chain's node failed: it answered 'header not found'\. Check chain\.rpcUrl/,
    ],
    [
      'no node',
      async () => client(`http://${await closedPort()}`).getBlockNumber(),
      /^eth_blockNumber on the chain's node failed: the connection was refused \(ECONNREFUSED\)\. Check/,
    ],
    [
      'a node that does not answer',
      async () => client(await serving(() => undefined)).getBlockNumber(),
      /^eth_blockNumber on the chain's node failed: no answer in time\. Check chain\.rpcUrl/,
    ],
    [
      'a node behind a proxy that fails',
      async () =>
        client(
          await serving((_, response) => response.writeHead(502).end('<html>')),
        ).getBlockNumber(),
      /^eth_blockNumber on the chain's node failed: it answered HTTP 502\. Check chain\.rpcUrl/,
    ],
    [
      'an address without a contract',
      async () => read(await node({ result: '0x' })),
      /^the call of owner\(\) on the chain failed: there is no such contract at that address\. Check the contract addresses/,
    ],
    [
      'a call that reverts',
      async () =>
        read(await node({ error: { code: 3, message: 'execution reverted: paused', data: '0x' } })),
      /^the call of owner\(\) on the chain failed: .*\. Check/,
    ],
  ])('%s', async (_, run, text) => {
    const shown = failureText(await thrownBy(run))
    expect(shown).toMatch(text)
    expect(shown).not.toMatch(raw)
  })
})

describe('of a request', () => {
  const asking = (url: string, ms = 500) =>
    thrownBy(() =>
      namedFetch(undiciFetch as unknown as typeof fetch)(url, {
        method: 'POST',
        body: '{"method":"svc_createTask"}',
        signal: AbortSignal.timeout(ms),
      }),
    )

  test.each<[string, () => Promise<string>, string]>([
    [
      'that nobody accepts',
      async () => `http://${await closedPort()}/rpc`,
      'the connection was refused (ECONNREFUSED)',
    ],
    [
      'whose connection is closed',
      () => serving((request) => request.socket.destroy()),
      'the connection was closed before the answer was complete',
    ],
    ['that is not answered in time', () => serving(() => undefined), 'no answer in time'],
    [
      'to a host that does not exist',
      async () => 'http://nobody.invalid/rpc',
      'its host name does not resolve',
    ],
  ])('%s', async (_, place, why) => {
    const url = await place()
    const error = await asking(url, 4_000 / (why === 'no answer in time' ? 10 : 1))
    expect(error).toBeInstanceOf(Unanswered)
    expect((error as Unanswered).cause).toBeInstanceOf(Error)
    const shown = failureText(error)
    expect(shown).toContain(`no answer to svc_createTask (POST ${url}): ${why}`)
    expect(shown).toMatch(/\. Check (that it still runs|its address)/)
    expect(shown).not.toMatch(/viem|undici|fetch failed|\n/)
  })

  test('for a WebSocket has a reason in the same words', async () => {
    expect(await openUpdateSocket({ url: `ws://${await closedPort()}/ws` })).toEqual({
      kind: 'failed',
      reason: 'the connection was refused (ECONNREFUSED)',
    })
  })
})

test('errors of the suite have their hint; any other says what to look at', () => {
  expect(failureText(new SuiteFault('it has no twin'))).toBe(
    'it has no twin. This is an error of the suite: report it with the id of the check.',
  )
  expect(failureText(new Untestable('there is none'))).toBe('there is none')
  expect(failureText(new TypeError("reading 'x'\nof undefined"))).toMatch(
    /^the check ended with an error instead of a finding \(TypeError: reading 'x'\)\. Compare/,
  )
  expect(failureText('a text')).toContain('(a text)')
})
