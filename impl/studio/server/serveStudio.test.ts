import { expect, it } from 'vitest'
import { serveStudio } from './serveStudio.ts'

it('gives addresses without the token, each of which leads once to the page with it', async () => {
  const studio = await serveStudio({
    target: {
      ...{ name: 'test', gatewayUrl: 'http://127.0.0.1:1', contracts: {}, keys: {} },
      ...{ defaultKey: 'rpc' },
      brand: {
        ...{ methodPrefix: 'svc_', topicPrefix: 'service.task.', regoNamespace: 'service' },
        ...{ networkHeader: 'X-Protocol-Network', signatureHeader: 'X-Service-Signature' },
      },
    },
    loadAssets: async () => new Map(),
    port: 0,
  })
  try {
    const { origin, hash } = new URL(studio.url)
    const url = studio.oneTimeUrl()
    expect(url).not.toContain(hash.slice('#token='.length))
    const first = await fetch(url, { redirect: 'manual' })
    expect(new URL(first.headers.get('location')!, origin).href).toBe(studio.url)
    expect((await fetch(url, { redirect: 'manual' })).status).toBe(410)
  } finally {
    await studio.close()
  }
})
