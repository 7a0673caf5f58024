import { describe, expect, it } from 'vitest'
import { createNonceMemory } from './nonceMemory.ts'

describe('the nonce memory', () => {
  it('remembers each nonce for its time, and not longer', () => {
    const nonces = createNonceMemory({ keepSeconds: 10 })
    expect(nonces.add('a', 100)).toBe(true)
    expect(nonces.add('a', 110)).toBe(false)
    expect(nonces.add('b', 111)).toBe(true)
    expect(nonces.add('a', 111)).toBe(true)
  })

  it('rejects new nonces when full instead of forgetting early', () => {
    const nonces = createNonceMemory({ keepSeconds: 10, most: 2 })
    nonces.add('a', 100)
    nonces.add('b', 100)
    expect(nonces.add('c', 100)).toBe('full')
    expect(nonces.add('a', 100)).toBe(false)
    expect(nonces.add('c', 111)).toBe(true)
  })
})
