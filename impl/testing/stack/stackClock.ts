import { chainRpc } from 'polgate-lib/http/chainRpc.ts'
import type { ControlClient } from './controlClient.ts'
import { TestingError } from './testingError.ts'

/**
 * The time of a stack. Chain, gateway, operators, oracles, keys and webhooks follow it together. A
 * request that is under way keeps the real time of its timeout.
 */
export type StackClock = {
  /** The time of the service. */
  now(): Promise<Date>
  /** Mines empty blocks, 1 by default, at most 100,000. */
  mine(blocks?: number): Promise<void>
  /** Moves ahead by seconds and mines a block at the new time. @returns the new time */
  advance(seconds: number): Promise<Date>
  /** Moves ahead to a time and mines a block there. @throws TestingError for a time in the past */
  warpTo(time: Date | number): Promise<Date>
  /** Mines until this is the latest block. @throws TestingError for a block in the past */
  warpToBlock(block: number | bigint): Promise<void>
}

/** A century: Anvil and the database count in seconds and milliseconds without overflow. */
const maxSeconds = 100 * 366 * 24 * 3600
const maxBlocks = 100_000

export function stackClock(call: ControlClient, rpcUrl: string): StackClock {
  const now = async () => new Date((await call('/time', {})).now)

  async function mine(blocks = 1): Promise<void> {
    if (!Number.isInteger(blocks) || blocks < 1 || blocks > maxBlocks)
      throw refused(`mine() takes a whole number of blocks from 1 to ${maxBlocks}, not ${blocks}`)
    await chainRpc(rpcUrl, 'anvil_mine', [`0x${blocks.toString(16)}`])
  }
  async function advance(seconds: number): Promise<Date> {
    if (!Number.isInteger(seconds) || seconds < 1 || seconds > maxSeconds)
      throw refused(`A clock advances by 1 to ${maxSeconds} whole seconds, not by ${seconds}`)
    return new Date((await call('/advance', { seconds })).now)
  }
  return {
    now,
    mine,
    advance,
    async warpTo(time) {
      const at = new Date(time)
      const current = await now()
      // Rounded up: what is due at that time is due then.
      const seconds = Math.ceil((at.getTime() - current.getTime()) / 1_000)
      if (Number.isNaN(seconds)) throw refused('warpTo() takes a Date or Unix milliseconds')
      if (seconds < 1)
        throw refused(
          `The clock of the stack is at ${current.toISOString()} and cannot go back to ${at.toISOString()}`,
          'Restore a snapshot to go back, or start from clock.now().',
        )
      return await advance(seconds)
    },
    async warpToBlock(block) {
      const latest = Number(await chainRpc(rpcUrl, 'eth_blockNumber'))
      const blocks = Number(block) - latest
      if (!(blocks >= 0))
        throw refused(
          `The chain is at block ${latest} and cannot go back to ${block}`,
          'Restore a snapshot to go back.',
        )
      if (blocks > 0) await mine(blocks)
    },
  }
}

const refused = (message: string, hint = 'Nothing was changed.') =>
  new TestingError(message, { code: 'option', hint })
