import { expect, it } from 'vitest'
import { explorerCurl, rpcCurl } from './curl.ts'

it('names the key by its variable, quotes, and leaves secrets in plain text out', () => {
  const line = rpcCurl('http://127.0.0.1:1', 'rpc', 'svc_registerWebhook', {
    ...{ url: "https://a.example/it's", secret: 'hidden', envelope: 'sealed' },
  })
  expect(line).toBe(
    "curl -s 'http://127.0.0.1:1/rpc' -H 'content-type: application/json' " +
      '-H "authorization: Bearer $SVC_KEY_RPC" --data-binary ' +
      `'{"jsonrpc":"2.0","id":"1","method":"svc_registerWebhook","params":{"url":"https://a.example/it'\\''s","secret":"<secret>","envelope":"sealed"}}'`,
  )
  expect(explorerCurl('read', '/v1/task?page=2', { 'x-network': 'base' })).toBe(
    `curl -s "$SVC_EXPLORER_URL"'/v1/task?page=2' -H "x-api-key: $SVC_KEY_READ" -H 'x-network: base'`,
  )
})
