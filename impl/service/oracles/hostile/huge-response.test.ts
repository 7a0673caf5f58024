import { expect } from 'vitest'
import { hostilePeer } from './hostileCases.fixture.ts'

hostilePeer('huge-response', async (server, sentBytes) => {
  // The rest stays where it was: what left the server is what the buffers of two sockets hold.
  expect(sentBytes).toBeLessThan(50_000_000)
  await expect.poll(() => server.open()).toBe(0)
})
