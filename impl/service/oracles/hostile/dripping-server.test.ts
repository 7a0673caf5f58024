import { expect } from 'vitest'
import { hostilePeer } from './hostileCases.fixture.ts'

hostilePeer('dripping-server', async (server) => {
  // The connection ends with the run, not when the server comes to its end.
  await expect.poll(() => server.open()).toBe(0)
})
