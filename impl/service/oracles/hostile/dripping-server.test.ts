import { expect } from 'vitest'
import { hostilePeer } from './hostileCases.fixture.ts'

hostilePeer('dripping-server', async (server) => {
  // The connection ends with the run, before the server has finished.
  await expect.poll(() => server.open()).toBe(0)
})
