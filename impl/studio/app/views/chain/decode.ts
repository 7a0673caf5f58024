import * as artifacts from 'polgate-chain/artifacts/abis.ts'
import {
  type Abi,
  type AbiEvent,
  type AbiFunction,
  decodeEventLog,
  decodeFunctionData,
  type Hex,
  toEventSelector,
  toFunctionSelector,
} from 'viem'
import { plain } from './plain.ts'

/** A call or event of a known contract. */
export type Decoded = {
  readonly contract: string
  readonly name: string
  /** Arguments by name, as JSON; those without a name by position. */
  readonly args: Readonly<Record<string, unknown>>
  /** The calls that a `multicall` makes. */
  readonly calls?: readonly (Decoded | undefined)[]
}

export type Log = {
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly blockNumber: Hex
  readonly transactionHash: Hex
  readonly logIndex: Hex
}

/** In the order in which they are tried: several contracts have an event or function in common. */
const known: readonly (readonly [string, Abi])[] = [
  ['TaskManager', artifacts.taskManagerAbi],
  ['OperatorRegistry', artifacts.operatorRegistryAbi],
  ['PolicyFactory', artifacts.policyFactoryAbi],
  ['Policy', artifacts.policyAbi],
  ['PolicyData', artifacts.policyDataAbi],
  ['IdentityRegistry', artifacts.identityRegistryAbi],
  ['ConfidentialDataRegistry', artifacts.confidentialDataRegistryAbi],
  ['PolicyClient', artifacts.sampleClientAbi],
  ['TokenVault', artifacts.tokenVaultAbi],
  ['SampleToken', artifacts.sampleTokenAbi],
]

type Entry<Item> = { readonly contract: string; readonly item: Item }

function bySelector<Item extends AbiEvent | AbiFunction>(
  type: Item['type'],
  selectorOf: (item: Item) => Hex,
): ReadonlyMap<Hex, Entry<Item>> {
  const found = new Map<Hex, Entry<Item>>()
  for (const [contract, abi] of known)
    for (const each of abi) {
      if (each.type !== type) continue
      const selector = selectorOf(each as Item)
      if (!found.has(selector)) found.set(selector, { contract, item: each as Item })
    }
  return found
}

const functions = bySelector<AbiFunction>('function', toFunctionSelector)
const events = bySelector<AbiEvent>('event', toEventSelector)

/** The call that the input of a transaction makes; undefined for one of no known contract. */
export function decodeCall(input: Hex): Decoded | undefined {
  const entry = functions.get(input.slice(0, 10) as Hex)
  if (entry === undefined) return undefined
  const { contract, item } = entry
  try {
    const { args = [] } = decodeFunctionData({ abi: [item], data: input })
    const decoded = { contract, name: item.name, args: named(item.inputs, args as unknown[]) }
    if (item.name !== 'multicall') return decoded
    return { ...decoded, args: {}, calls: (args[0] as readonly Hex[]).map(decodeCall) }
  } catch {
    return undefined
  }
}

/** The event of a log; undefined for one of no known contract. */
export function decodeLog({ topics, data }: Pick<Log, 'topics' | 'data'>): Decoded | undefined {
  const entry = topics[0] === undefined ? undefined : events.get(topics[0])
  if (entry === undefined) return undefined
  const { contract, item } = entry
  try {
    const { args = [] } = decodeEventLog({ abi: [item], data, topics: [...topics] as [Hex] })
    const values = Array.isArray(args) ? named(item.inputs, args) : (plain(args) as Decoded['args'])
    return { contract, name: item.name, args: values }
  } catch {
    return undefined
  }
}

const named = (
  inputs: readonly { readonly name?: string | undefined }[],
  args: readonly unknown[],
) => Object.fromEntries(args.map((value, at) => [inputs[at]?.name || String(at), plain(value)]))
