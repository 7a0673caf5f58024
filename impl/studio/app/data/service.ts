import { createServiceClient, type ServiceClient } from 'polgate-client'
import { apiUrl, token } from './api.ts'
import { target } from './target.ts'

/**
 * The SDK's client of the gateway, by way of this page's server, which puts the key in.
 *
 * @param key the name of a key; default: the one that may do everything
 */
export function serviceClient(key?: string): ServiceClient {
  const { brand, chainId } = target()
  return createServiceClient({
    url: apiUrl,
    key: token,
    socketUrl: `${apiUrl.replace(/^http/, 'ws')}/updates`,
    brand,
    ...(chainId === undefined ? {} : { chain: { id: chainId } }),
    fetch: (url, init) => {
      const headers = new Headers(init.headers)
      if (key !== undefined) headers.set('x-studio-key', key)
      return fetch(url, { ...init, headers })
    },
  })
}
