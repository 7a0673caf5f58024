import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readDumpedState } from './dumpedState.ts'

function answerOf(text: string, cuts: readonly number[]) {
  const ends = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b)
  const pieces = [0, ...ends].map((from, at) => text.slice(from, ends[at] ?? text.length))
  return new Response(
    new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(Buffer.from(piece))
        controller.close()
      },
    }),
  )
}
async function read(text: string, cuts: readonly number[] = []) {
  const found: Uint8Array[] = []
  for await (const bytes of readDumpedState(answerOf(text, cuts))) found.push(bytes)
  return Buffer.concat(found)
}

describe('the state from Anvil', () => {
  it('is the same for any pieces', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 60 }),
        fc.array(fc.nat(400), { maxLength: 9 }),
        async (bytes, cuts) => {
          const hex = Buffer.from(bytes).toString('hex')
          const text = `{"jsonrpc":"2.0","id":1,"result":"0x${hex}"}`
          expect((await read(text, cuts)).equals(bytes)).toBe(true)
        },
      ),
    )
  })

  it.each([
    ['{"jsonrpc":"2.0","id":1,"result":"0x00', 'truncated'],
    ['{"jsonrpc":"2.0","id":1,"result":"0x000"}', 'truncated'],
    ['{"jsonrpc":"2.0","id":1,"result":"0x00zz"}', 'not hex'],
    ['{"jsonrpc":"2.0","id":1,"error":{"message":"no"}}', 'unexpected response {"jsonrpc"'],
    ['', 'unexpected response'],
  ])('%s is rejected', async (text, message) => {
    await expect(read(text)).rejects.toThrow(message)
  })
})
