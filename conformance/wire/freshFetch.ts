import { Agent, fetch as fetchOver } from 'undici'

/**
 * A new connection for every request: a gateway or a proxy may close an idle one, which a busy
 * suite would notice only after sending the next request on it. That would not be a fault of the
 * target. The suite closes it once the answer was read: one that the target closes after a long
 * answer can end while undici waits for the reader, which is an assertion of undici that no caller
 * catches.
 */
export const freshFetch = ((url: string, init?: object) =>
  fetchOver(url, {
    ...init,
    dispatcher: new Agent({ connections: 1, keepAliveTimeout: 1, keepAliveMaxTimeout: 1 }),
  })) as unknown as typeof fetch
