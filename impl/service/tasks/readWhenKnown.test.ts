import { ChainReadError } from 'polgate-chain/errors.ts'
import { RpcRequestError } from 'viem'
import { describe, expect, it } from 'vitest'
import { readWhenKnown } from './readWhenKnown.ts'

const refusal = (): ChainReadError =>
  new ChainReadError('unreachable', 'unknown block', {
    hint: 'none',
    cause: new RpcRequestError({
      body: {},
      error: { code: -32_000, message: 'unknown block' },
      url: 'http://127.0.0.1',
    }),
  })

/** A node at block `first` that advances by `step` blocks on every request. */
function node(first: number, step: number) {
  let latest = first
  let reads = 0
  return {
    latestBlock: async () => {
      latest += step
      return latest
    },
    read: async (block: number) => {
      reads += 1
      if (block > latest) throw refusal()
      return `block ${block}`
    },
    reads: () => reads,
  }
}

describe('a read as of a block', () => {
  it('waits for a block that the node does not know yet', async () => {
    const chain = node(5, 1)
    expect(await readWhenKnown(chain, 6, () => chain.read(6))).toBe('block 6')
  })

  it('fails with an error that names the block if it does not appear', async () => {
    const chain = node(5, 0)
    await expect(readWhenKnown(chain, 9, () => chain.read(9))).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('no block 9'),
      hint: expect.stringContaining('send the task again'),
    })
  })

  it('does not retry other errors', async () => {
    const chain = node(5, 0)
    const down = new ChainReadError('unreachable', 'connection refused', { hint: 'none' })
    await expect(readWhenKnown(chain, 4, () => Promise.reject(down))).rejects.toBe(down)
    const reverted = new ChainReadError('reverted', 'no', { hint: 'none' })
    await expect(readWhenKnown(chain, 9, () => Promise.reject(reverted))).rejects.toBe(reverted)
  })
})
