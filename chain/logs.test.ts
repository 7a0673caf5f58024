import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getAddress, type Hex, type RpcLog, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createChainClient } from './client.ts'
import { readLogs } from './logs.ts'

const taskManager = getAddress(`0x${'aa'.repeat(20)}`)
const policyFactory = getAddress(`0x${'bb'.repeat(20)}`)
const sources = { taskManager, policyFactory }
const taskId: Hex = `0x${'1c'.repeat(32)}`
const lower = (text: string) => text.toLowerCase()

describe('readLogs', () => {
  let answer: unknown
  let asked: { params: unknown[] } | undefined
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      asked = JSON.parse(body)
      const { id } = JSON.parse(body)
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: answer }))
    })
  })
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve())))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const read = (from: number, to: number) => {
    const { port } = server.address() as AddressInfo
    return readLogs(createChainClient({ rpcUrl: `http://127.0.0.1:${port}` }), sources, {
      from,
      to,
    })
  }
  const raw = (number: number, logIndex: number, more: Partial<RpcLog> = {}) => ({
    address: taskManager,
    topics: [taskId.toUpperCase().replace('X', 'x')],
    data: '0xAB',
    blockNumber: toHex(number),
    blockHash: `0x${'B1'.repeat(32)}`,
    logIndex: toHex(logIndex),
    transactionHash: `0x${'F7'.repeat(32)}`,
    transactionIndex: '0x0',
    removed: false,
    ...more,
  })

  it('requests the events of both contracts, sorted and without duplicates', async () => {
    answer = [raw(7, 1), raw(6, 9), raw(7, 0), raw(7, 1), raw(5, 0), raw(8, 0)]
    const logs = await read(6, 7)
    expect(logs.map(({ blockNumber, logIndex }) => [blockNumber, logIndex])).toEqual([
      [6, 9],
      [7, 0],
      [7, 1],
    ])
    expect(logs[0]).toEqual({
      address: lower(taskManager),
      topics: [taskId],
      data: '0xab',
      blockNumber: 6,
      blockHash: `0x${'b1'.repeat(32)}`,
      logIndex: 9,
      transactionHash: `0x${'f7'.repeat(32)}`,
      timestamp: undefined,
    })
    expect(asked?.params).toEqual([
      {
        address: [taskManager, policyFactory],
        topics: [Array.from({ length: 6 }, () => expect.stringMatching(/^0x[0-9a-f]{64}$/))],
        fromBlock: '0x6',
        toBlock: '0x7',
      },
    ])
  })

  it('uses the block time if the node includes it in the log', async () => {
    answer = [{ ...raw(6, 0), blockTimestamp: '0x65' }]
    expect(await read(6, 6)).toMatchObject([{ timestamp: 101 }])
  })

  it('rejects logs without a block, and results that are not a list', async () => {
    answer = [raw(6, 0, { removed: true })]
    await expect(read(6, 6)).rejects.toThrow('in no block')
    answer = [raw(6, 0, { blockHash: null })]
    await expect(read(6, 6)).rejects.toThrow('in no block')
    answer = null
    await expect(read(6, 6)).rejects.toThrow('did not return a list')
  })
})
