import { expect } from 'vitest'
import { hostilePeer } from './hostileCases.fixture.ts'

hostilePeer('too-many-calls', (server) => {
  expect(server.requests()).toHaveLength(50)
})
