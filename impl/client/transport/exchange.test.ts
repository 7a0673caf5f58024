import { describe, expect, it } from 'vitest'
import { createDeadline } from './deadline.ts'
import { exchange } from './exchange.ts'

/** The failure of an exchange whose `fetch` fails with this cause. */
async function failing(cause: object): Promise<unknown> {
  const deadline = createDeadline(10_000)
  try {
    return await exchange({
      fetch: async () => {
        throw new TypeError('fetch failed', { cause })
      },
      url: 'http://127.0.0.1',
      init: { method: 'POST', headers: {} },
      deadline,
      timeoutMs: 10_000,
      maxBytes: 1,
      metaMessages: [],
    }).catch((error: unknown) => error)
  } finally {
    deadline.release()
  }
}

describe('an exchange', () => {
  it.each([
    [true, { code: 'ECONNREFUSED', syscall: 'connect' }],
    [true, { code: 'ENOTFOUND', syscall: 'getaddrinfo' }],
    [true, { code: 'UND_ERR_CONNECT_TIMEOUT' }],
    [true, { code: 'ECONNREFUSED', errors: [{ code: 'ECONNREFUSED', syscall: 'connect' }] }],
    [false, { code: 'EHOSTUNREACH', syscall: 'read' }],
    [false, { code: 'ENETUNREACH', syscall: 'write' }],
    [false, { code: 'ECONNREFUSED' }],
    [false, { code: 'ECONNRESET', syscall: 'connect' }],
  ])('is not sent, %j, after %j', async (notSent, cause) => {
    expect(await failing(cause)).toMatchObject({ code: 'NETWORK', notSent, details: cause.code })
  })
})
