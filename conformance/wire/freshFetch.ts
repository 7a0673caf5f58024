import { Agent, fetch as fetchOver } from 'undici'

const connections = new Agent({ pipelining: 0 })

/**
 * A new connection for every request: a gateway or a proxy may close an idle one, which a busy
 * suite would notice only after sending the next request on it. That would not be a fault of the
 * target.
 */
export const freshFetch = ((url: string, init?: object) =>
  fetchOver(url, { ...init, dispatcher: connections })) as unknown as typeof fetch
