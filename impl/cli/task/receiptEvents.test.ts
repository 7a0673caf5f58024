import {
  encodeAbiParameters,
  encodeEventTopics,
  erc20Abi,
  erc721Abi,
  type Hex,
  type Log,
} from 'viem'
import { expect, it } from 'vitest'
import { receiptEvents } from './receiptEvents.ts'

const [token, from, to] = ['0xaa', '0x01', '0x02'].map((byte) =>
  byte.padEnd(42, byte.slice(2)),
) as [Hex, Hex, Hex]
const logOf = (topics: readonly unknown[], data: Hex = '0x') =>
  ({ address: token, topics, data }) as unknown as Log

const transfer = { eventName: 'Transfer', args: { from, to } } as const

it('shows transfers of tokens with their arguments, and other events by their topic', () => {
  const amount = encodeAbiParameters([{ type: 'uint256' }], [5n])
  const topics = encodeEventTopics({ abi: erc20Abi, ...transfer })
  const nft = encodeEventTopics({
    abi: erc721Abi,
    eventName: 'Transfer',
    args: { from, to, tokenId: 7n },
  })
  const other: Hex = `0x${'77'.repeat(32)}`
  expect(
    receiptEvents([logOf(topics, amount), logOf(nft), logOf([other], '0x1234'), logOf([])]),
  ).toEqual([
    `${token} Transfer(${from}, ${to}, 5)`,
    `${token} Transfer(${from}, ${to}, 7)`,
    `${token} ${other}`,
    `${token} without a topic`,
  ])
})

it('ends after twenty events', () => {
  const lines = receiptEvents(Array.from({ length: 25 }, () => logOf([])))
  expect(lines).toHaveLength(21)
  expect(lines.at(-1)).toBe('5 more')
})
