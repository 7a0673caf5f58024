import {
  BlockNotFoundError,
  type Hash,
  HttpRequestError,
  type PublicClient,
  TimeoutError,
} from 'viem'
import { afterEach, describe, expect, it } from 'vitest'
import { type ChainWatch, type SeenBlock, type WentBack, watchChain } from './chainWatch.ts'

const watches: ChainWatch[] = []
afterEach(() => {
  for (const watch of watches.splice(0)) watch.close()
})

type FakeNode = {
  chainId: number
  looks: number
  fault: Error | undefined
  /** Responds as a node that is this many blocks behind. */
  behind: number
  blocks: Hash[]
  /** Replaces the chain from a block on. */
  fork(from: number, branch: number, to?: number): void
  at(number: number): SeenBlock
}

/** A node whose chain and faults are set by the test. */
function nodeOf(length = 10) {
  const hashOf = (branch: number, number: number): Hash =>
    `0x${branch.toString(16).padStart(8, '0')}${number.toString(16).padStart(56, '0')}`
  const node: FakeNode = {
    chainId: 1,
    looks: 0,
    fault: undefined,
    behind: 0,
    blocks: Array.from({ length }, (_, number) => hashOf(0, number)),
    fork(from, branch, to = node.blocks.length) {
      node.blocks = node.blocks.slice(0, from)
      while (node.blocks.length < to) node.blocks.push(hashOf(branch, node.blocks.length))
    },
    at: (number) => ({ number: BigInt(number), hash: node.blocks[number]! }),
  }
  return Object.assign(node, {
    client: {
      async getChainId() {
        if (node.fault) throw node.fault
        return node.chainId
      },
      async getBlock({ blockNumber }: { blockNumber?: bigint }) {
        if (node.fault) throw node.fault
        const newest = node.blocks.length - 1 - node.behind
        if (blockNumber === undefined) node.looks += 1
        const number = blockNumber === undefined ? newest : Number(blockNumber)
        if (number > newest) throw new BlockNotFoundError({ blockNumber: BigInt(number) })
        return node.at(number)
      },
    } as unknown as PublicClient,
  })
}

function watch(node: ReturnType<typeof nodeOf>, remindMs?: number) {
  const lines: { readonly level: string; readonly message: string; readonly fields: object }[] = []
  const changes: WentBack[] = []
  const time = { now: 0 }
  const watched = watchChain({
    client: node.client,
    chainId: 1,
    node: 'node.example:8545',
    everyMs: 2,
    clock: () => time.now,
    remindMs,
    log: {
      warn: (fields, message) => void lines.push({ level: 'warn', message, fields }),
      info: (fields, message) => void lines.push({ level: 'info', message, fields }),
    },
    onWentBack: (change) => void changes.push(change),
  })
  watches.push(watched)
  const look = async (times = 1) => {
    const before = node.looks
    await expect.poll(() => node.looks, { interval: 1 }).toBeGreaterThan(before + times)
  }
  return { watched, lines, changes, look, time }
}

const url = 'http://node.example:8545/secret-key'

describe('a watch of a node', () => {
  it.each([
    ['hangs', new TimeoutError({ body: {}, url }), 'accepts requests but does not respond'],
    ['is unreachable', new HttpRequestError({ url }), 'node is unreachable'],
    ['refuses', new HttpRequestError({ url, status: 503 }), 'refuses requests'],
  ])('reports once that it %s, since when, and that it has recovered', async (_, fault, text) => {
    const node = nodeOf()
    const { watched, lines, look } = watch(node)
    await look()
    expect(watched.problem()).toBeUndefined()
    node.fault = fault
    await expect.poll(() => watched.problem()).toContain(text)
    expect(watched.problem()).toMatch(/^chain 1: .+ \(node\.example:8545, since \d{4}-.+Z\): /)
    const since = watched.outage()?.since
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(watched.outage()?.since).toEqual(since)
    node.fault = undefined
    await expect.poll(() => watched.problem()).toBeUndefined()
    expect(lines.map(({ level }) => level)).toEqual(['warn', 'info'])
    expect(JSON.stringify([lines, watched.problem()])).not.toContain('secret-key')
  })

  it('repeats the warning during an outage', async () => {
    const node = nodeOf()
    node.fault = new HttpRequestError({ url })
    const { lines } = watch(node, 0)
    await expect.poll(() => lines.length).toBeGreaterThan(3)
  })

  it('refuses a node of another chain, also after an outage', async () => {
    const node = nodeOf()
    const { watched, look } = watch(node)
    await look()
    node.fault = new HttpRequestError({ url })
    await expect.poll(() => watched.outage()?.failure).toBe('unreachable')
    node.chainId = 2
    node.fault = undefined
    await expect
      .poll(() => watched.problem())
      .toMatch(/is on another chain .*the node is on chain 2, expected 1$/)
  })
})

describe('a watch of a chain', () => {
  it('reports nothing while it grows, or while a node is briefly behind', async () => {
    const node = nodeOf()
    const { watched, changes, look, lines } = watch(node)
    for (let at = 0; at < 5; at += 1) {
      node.fork(node.blocks.length, 0, node.blocks.length + 3)
      watched.rely(node.at(node.blocks.length - 1))
      await look()
    }
    expect([changes, lines]).toEqual([[], []])
  })

  it.each([
    ['was truncated', 5, 5],
    ['was truncated and has grown to the same height', 5, 10],
    ['was truncated and has grown further', 5, 20],
  ])('reports once that it %s', async (_, from, to) => {
    const node = nodeOf()
    const { changes, look } = watch(node)
    await look()
    node.fork(from, 1, to)
    await expect.poll(() => changes).toMatchObject([{ from: 9, to: to - 1 }])
    await look(3)
    expect(changes).toHaveLength(1)
  })

  it('reports when the chain was last intact, also after an outage', async () => {
    const node = nodeOf()
    const { watched, changes, look, time } = watch(node)
    time.now = 1
    await look()
    node.fault = new HttpRequestError({ url })
    await expect.poll(() => watched.problem()).toBeDefined()
    time.now = 2
    node.fork(5, 1)
    node.fault = undefined
    await expect.poll(() => changes).toMatchObject([{ intactAt: 1 }])
    time.now = 3
    node.fork(5, 2)
    await expect.poll(() => changes).toMatchObject([{}, { intactAt: 2 }])
  })

  it('reports a tracked block that left the chain between two polls', async () => {
    const node = nodeOf()
    const { watched, changes, look } = watch(node)
    await look()
    // Both between two polls, and followed by a block of the new branch.
    node.fork(10, 0, 13)
    watched.rely(node.at(12))
    node.fork(11, 1, 15)
    watched.rely(node.at(14))
    await expect.poll(() => changes).toMatchObject([{ from: 12, to: 14 }])
    await look(3)
    expect(changes).toHaveLength(1)
  })
})
