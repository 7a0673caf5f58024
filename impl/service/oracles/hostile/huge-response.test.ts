import { expect } from 'vitest'
import { hostilePeer } from './hostileCases.fixture.ts'

hostilePeer('huge-response', async (server, sentBytes) => {
  // The rest is never sent: at most the buffers of two sockets have left the server.
  expect(sentBytes).toBeLessThan(50_000_000)
  await expect.poll(() => server.open()).toBe(0)
})
