import { setTimeout as pause } from 'node:timers/promises'
import type { Hash } from 'viem'
import { describe, expect, it, vi } from 'vitest'
import { type BlockRef, createBlockReads } from './blockReads.ts'

const hashOf = (name: string): Hash => `0x${Buffer.from(name).toString('hex').padStart(64, '0')}`
const block = (number: number, name = `block ${number}`): BlockRef => ({
  number,
  hash: hashOf(name),
})

/** A chain whose contract has a value, and a count of reads. */
function world() {
  let latest = block(1)
  let value = 'a'
  const readLatest = vi.fn(async () => {
    const told = latest
    await pause(5)
    return told
  })
  const read = vi.fn(async (_: number) => value)
  return {
    ...{ readLatest, read },
    reads: createBlockReads(readLatest),
    mine(next: BlockRef, changed: string) {
      latest = next
      value = changed
    },
  }
}

describe('reads per block', () => {
  it('reads a value once while the latest block stays the same', async () => {
    const { reads, read, readLatest } = world()
    for (let at = 0; at < 3; at += 1) expect(await reads.atLatest('x', read)).toBe('a')
    expect(await reads.atLatest('y', read)).toBe('a')
    expect(read).toHaveBeenCalledTimes(2)
    expect(readLatest).toHaveBeenCalledTimes(4)
  })

  it('asks the node after each call: a change before the call is always seen', async () => {
    const { reads, read, mine } = world()
    const early = reads.atLatest('x', read)
    await pause(1)
    mine(block(2), 'b')
    const late = reads.atLatest('x', read)
    await early
    expect(await late).toBe('b')
  })

  it('shares requests that are not sent yet', async () => {
    const { reads, read, readLatest } = world()
    await Promise.all(Array.from({ length: 50 }, () => reads.atLatest('x', read)))
    expect(readLatest).toHaveBeenCalledTimes(1)
    const first = reads.latest()
    await pause(1)
    await Promise.all([first, ...Array.from({ length: 50 }, () => reads.latest())])
    expect(readLatest).toHaveBeenCalledTimes(3)
  })

  it('reads again at another block of the same number', async () => {
    const { reads, read, mine } = world()
    expect(await reads.atLatest('x', read)).toBe('a')
    mine(block(1, 'another block 1'), 'b')
    expect(await reads.atLatest('x', read)).toBe('b')
  })

  it('shares a read at the latest block, and reads others each time', async () => {
    const { reads, read } = world()
    await reads.latest()
    await Promise.all([reads.at('x', 1, read), reads.at('x', 1, read)])
    expect(read).toHaveBeenCalledTimes(1)
    await Promise.all([reads.at('x', 0, read), reads.at('x', 0, read)])
    expect(read.mock.calls).toEqual([[1], [0], [0]])
  })

  it('keeps no failure, and does not wait long for a request that hangs', async () => {
    const { reads, read, readLatest } = world()
    read.mockRejectedValueOnce(new Error('no answer'))
    await expect(reads.atLatest('x', read)).rejects.toThrow('no answer')
    expect(await reads.atLatest('x', read)).toBe('a')

    readLatest.mockReturnValueOnce(new Promise(() => {}))
    void reads.latest()
    await pause(1)
    expect(await reads.latest()).toEqual(block(1))

    readLatest.mockRejectedValueOnce(new Error('node is down'))
    await expect(reads.latest()).rejects.toThrow('node is down')
    expect(await reads.latest()).toEqual(block(1))
  })

  it('keeps a bounded number of values', async () => {
    const { reads, read } = world()
    await reads.latest()
    for (let at = 0; at < 1_500; at += 1) await reads.at(`x${at}`, 1, read)
    read.mockClear()
    await reads.at('x0', 1, read)
    expect(read).not.toHaveBeenCalled()
    await reads.at('x1400', 1, read)
    expect(read).toHaveBeenCalledTimes(1)
  })
})
