import fc from 'fast-check'
import { expect, it } from 'vitest'
import { recentStates } from './recentStates.ts'

const hash = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Buffer.from(bytes).toString('hex'))
const account = fc.record({
  balance: fc.string(),
  code: fc.array(fc.string()),
  storage: fc.dictionary(fc.string(), fc.string()),
})

it('removes only the unwanted states, for any chunk boundaries', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.record({ hash, state: account, wanted: fc.boolean() }), {
        selector: (one) => one.hash,
        maxLength: 6,
      }),
      fc.jsonValue(),
      fc.boolean(),
      fc.integer({ min: 1, max: 200 }),
      async (entries, before, last, size) => {
        const states = entries.map((one) => [`0x${one.hash}`, { accounts: one.state }])
        const object = (kept: unknown) => ({
          accounts: before,
          historical_states: kept,
          ...(last ? {} : { after: [before] }),
        })
        const bytes = Buffer.from(JSON.stringify(object(states)))
        async function* pieces() {
          for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
        }
        const wanted = new Set(entries.filter((one) => one.wanted).map((one) => `0x${one.hash}`))
        const out: Uint8Array[] = []
        for await (const piece of recentStates(pieces(), wanted)) out.push(piece)
        const kept = states.filter((_, at) => entries[at]!.wanted)
        expect(Buffer.concat(out).toString()).toBe(JSON.stringify(object(kept)))
      },
    ),
    { numRuns: 300 },
  )
})

it.each([['null'], ['[]']])('passes through an object with %s', async (states) => {
  const text = `{"a":1,"historical_states":${states},"b":[1]}`
  async function* pieces() {
    for (const letter of text) yield Buffer.from(letter)
  }
  const out: Uint8Array[] = []
  for await (const piece of recentStates(pieces(), new Set())) out.push(piece)
  expect(Buffer.concat(out).toString()).toBe(text)
})
