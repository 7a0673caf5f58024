import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { serveStudio } from './serveStudio.ts'

const start = () =>
  serveStudio({
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

it('refuses a request with two Host headers, also to upgrade', async () => {
  const studio = await start()
  try {
    const host = `Host: 127.0.0.1:${studio.port}`
    for (const more of [[], ['Connection: Upgrade', 'Upgrade: websocket']]) {
      const socket = connect(studio.port, '127.0.0.1')
      socket.write(['GET /ws HTTP/1.1', host, 'Host: other.example', ...more, '', ''].join('\r\n'))
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /)
    }
  } finally {
    await studio.close()
  }
})

it('gives addresses without the token, each of which leads once to the page with it', async () => {
  const studio = await start()
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
