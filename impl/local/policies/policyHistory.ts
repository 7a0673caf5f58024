import { policyAbi } from 'polgate-chain/artifacts/abis.ts'
import type { ClientVersion } from 'polgate-protocol/control/policies.ts'
import type { Address, Hex } from 'polgate-protocol/scalars.ts'
import { getAbiItem, hexToString, type PublicClient } from 'viem'

/** A policy that a client was given, with its parameters. */
export type PolicySet = Omit<ClientVersion, 'current'> & { readonly policyClient: Address }

/** All policies that clients were given on a chain, the oldest first. */
export type PolicyHistory = () => Promise<readonly PolicySet[]>

const event = getAbiItem({ abi: policyAbi, name: 'PolicySet' })
/** Blocks of one request. */
const blocksAtOnce = 50_000

type Read = { readonly upTo: number; readonly hash: Hex; readonly found: readonly PolicySet[] }

/**
 * Follows `PolicySet` of every contract. Only new blocks are read, and all again after the chain was
 * reverted.
 *
 * @param startBlock where the chain of the stack begins: a fork has others before
 */
export function createPolicyHistory(
  client: Pick<PublicClient, 'getBlock' | 'getLogs'>,
  startBlock: number,
): PolicyHistory {
  let known: Read | undefined
  let reading: Promise<readonly PolicySet[]> | undefined

  async function stillThere({ upTo, hash }: Read): Promise<boolean> {
    const block = await client.getBlock({ blockNumber: BigInt(upTo) }).catch(() => undefined)
    return block?.hash === hash
  }

  async function read(): Promise<readonly PolicySet[]> {
    const latest = await client.getBlock({ blockTag: 'latest' })
    const upTo = Number(latest.number)
    const before = known !== undefined && (await stillThere(known)) ? known : undefined
    const found = [...(before?.found ?? [])]
    let from = before === undefined ? startBlock : before.upTo + 1
    for (; from <= upTo; from += blocksAtOnce) {
      const to = Math.min(upTo, from + blocksAtOnce - 1)
      found.push(...(await logsOf(from, to)))
    }
    known = { upTo, hash: latest.hash, found }
    return found
  }

  async function logsOf(from: number, to: number): Promise<readonly PolicySet[]> {
    const range = { fromBlock: BigInt(from), toBlock: BigInt(to) }
    const logs = await client.getLogs({ event, ...range, strict: true })
    return logs.map(({ address, args, blockNumber, transactionHash }) => ({
      policyClient: lower(args.policyClient),
      policyAddress: lower(address),
      policyId: args.policyId,
      params: hexToString(args.config.policyParams),
      expireAfter: args.config.expireAfter,
      block: Number(blockNumber),
      transactionHash,
    }))
  }

  return () => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }
}

const lower = <T extends string>(text: T): T => text.toLowerCase() as T
