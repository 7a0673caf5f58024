import { expect } from 'vitest'
import { hostilePeer } from './hostileCases.ts'

hostilePeer('too-many-calls', (server) => {
  expect(server.requests()).toHaveLength(50)
})
