import { mockHeaders } from 'polgate-testing/stack/mockHeaders.ts'
import { startMockServer } from 'polgate-testing/stack/mockServer.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MockHosts } from '../../package/mocksSchema.ts'
import { mockTable } from './mockTable.ts'

// What an HTTP client sees of each failure of mocks.yaml, over a real connection.
const hosts: MockHosts = {
  'api.example.com': {
    '/cut': { cut: true },
    '/reset': { fault: 'reset' },
    '/hang': { fault: 'hang' },
    '/invalid': { fault: 'invalid' },
    '/short': { fault: 'short', json: { price: 2000 } },
    '/late': { delayMs: 60, json: 1 },
  },
}
const token = 'token-of-this-test'
let server: Awaited<ReturnType<typeof startMockServer>>
beforeAll(async () => {
  server = await startMockServer(token)
  const table = mockTable({ hosts, exchanges: [] })
  server.add('api.example.com', (request) => table.reply(request) ?? null)
})
afterAll(() => server.close())

async function seen(path: string): Promise<string> {
  try {
    const response = await fetch(`${server.url}${path}`, {
      headers: { [mockHeaders.token]: token, [mockHeaders.origin]: 'https://api.example.com' },
      signal: AbortSignal.timeout(500),
    })
    return `${response.status} ${await response.text()}`
  } catch (error) {
    const { name, message, cause } = error as Error & { cause?: { code?: string; name: string } }
    return `${name} ${cause?.code ?? cause?.name ?? message}`
  }
}

test.each([
  ['/cut', /^TypeError (UND_ERR_SOCKET|ECONNRESET)$/],
  ['/reset', /^TypeError (ECONNRESET|UND_ERR_SOCKET)$/],
  ['/hang', /^TimeoutError/],
  ['/invalid', /^TypeError H(PE_|TTPParserError)/],
  ['/short', /^TypeError (UND_ERR_SOCKET|terminated)/],
  ['/late', /^200 1$/],
])('%s', async (path, expected) => {
  const begin = performance.now()
  expect(await seen(path)).toMatch(expected)
  if (path === '/late') expect(performance.now() - begin).toBeGreaterThan(55)
})
