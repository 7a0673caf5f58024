import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createNonceMemory } from './nonceMemory.ts'

describe('the nonce memory', () => {
  it('remembers each nonce for its time, and takes no request of that time afterwards', () => {
    const nonces = createNonceMemory({ keepSeconds: 10 })
    expect(nonces.add('a', 100, 0)).toBe('fresh')
    expect(nonces.add('a', 100, 10)).toBe('replayed')
    expect(nonces.add('b', 111, 11)).toBe('fresh')
    expect(nonces.add('a', 100, 11)).toBe('forgotten')
    expect(nonces.add('c', 101, 11)).toBe('fresh')
  })

  it('knows nothing of the time before its begin', () => {
    const nonces = createNonceMemory({ keepSeconds: 10, since: 100 })
    expect(nonces.add('a', 99, 0)).toBe('forgotten')
    expect(nonces.add('a', 100, 0)).toBe('fresh')
  })

  it('rejects new nonces when full instead of forgetting early', () => {
    const nonces = createNonceMemory({ keepSeconds: 10, most: 2 })
    nonces.add('a', 100, 100)
    nonces.add('b', 100, 100)
    expect(nonces.add('c', 100, 100)).toBe('full')
    expect(nonces.add('a', 100, 100)).toBe('replayed')
    expect(nonces.add('c', 111, 111)).toBe('fresh')
  })

  it('takes no request twice, however the wall clock jumps', () => {
    const requests = fc.record({ nonce: fc.nat(5), created: fc.nat(60), pause: fc.nat(8) })
    fc.assert(
      fc.property(fc.array(requests, { maxLength: 60 }), (sent) => {
        const nonces = createNonceMemory({ keepSeconds: 10 })
        const taken = new Set<string>()
        let now = 0
        for (const { nonce, created, pause } of sent) {
          now += pause
          // A request is one of its nonce and its time: both are signed.
          const request = `${nonce}-${created}`
          if (nonces.add(request, created, now) !== 'fresh') continue
          expect(taken).not.toContain(request)
          taken.add(request)
        }
      }),
    )
  })
})
