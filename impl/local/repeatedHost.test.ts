import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type LocalStack, startLocalStack } from './localStack.ts'

let stack: LocalStack
beforeAll(async () => {
  stack = await startLocalStack()
}, 180_000)
afterAll(() => stack.close())

/** The first line of the answer to a request with these `Host` headers. */
function answerOf(url: string, hosts: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(text.split('\r\n', 1)[0]!))
    const headers = hosts.map((host) => `Host: ${host}`)
    socket.write(['GET /healthz HTTP/1.1', ...headers, 'Connection: close', '', ''].join('\r\n'))
  })
}

it.each(['gatewayUrl', 'explorerUrl', 'adminUrl', 'controlUrl', 'fixtureHostUrl'] as const)(
  'a request with two Host headers to %s is refused',
  async (listener) => {
    const url = stack.description[listener]!
    const { host } = new URL(url)
    expect(await answerOf(url, [host])).toMatch(/^HTTP\/1\.1 (200|404)/)
    expect(await answerOf(url, [host, 'other.example'])).toBe('HTTP/1.1 400 Bad Request')
    expect(await answerOf(url, [host, host])).toBe('HTTP/1.1 400 Bad Request')
  },
)
