import * as artifacts from 'polgate-chain/artifacts/abis.ts'
import {
  type Abi,
  type AbiEvent,
  type AbiFunction,
  decodeErrorResult,
  decodeEventLog,
  decodeFunctionData,
  type Hex,
  parseAbi,
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
  /** The calls that one of many calls makes; the errors that an error quotes. */
  readonly calls?: readonly (Decoded | undefined)[]
}

/** Functions that make the calls of their first argument. */
const multicalls: ReadonlySet<string> = new Set(['multicall', 'boundedMulticall'])

export type Log = {
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly blockNumber: Hex
  readonly transactionHash: Hex
  readonly logIndex: Hex
}

/** Errors that the compiler makes, of every contract. */
const builtIn = parseAbi(['error Error(string message)', 'error Panic(uint256 code)'])

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

type AbiError = Extract<Abi[number], { readonly type: 'error' }>
type Entry<Item> = { readonly contract: string; readonly item: Item }

function bySelector<Item extends AbiEvent | AbiFunction | AbiError>(
  type: Item['type'],
  selectorOf: (item: Item) => Hex,
  abis: readonly (readonly [string, Abi])[] = known,
): ReadonlyMap<Hex, Entry<Item>> {
  const found = new Map<Hex, Entry<Item>>()
  for (const [contract, abi] of abis)
    for (const each of abi) {
      if (each.type !== type) continue
      const selector = selectorOf(each as Item)
      if (!found.has(selector)) found.set(selector, { contract, item: each as Item })
    }
  return found
}

const functions = bySelector<AbiFunction>('function', toFunctionSelector)
const events = bySelector<AbiEvent>('event', toEventSelector)
const errors = bySelector<AbiError>(
  'error',
  // viem types it for functions; the selector of an error is made in the same way.
  (error) => toFunctionSelector({ ...error, type: 'function' } as unknown as AbiFunction),
  [['Solidity', builtIn], ...known, ['Library', artifacts.customErrorsAbi]],
)

/** The call that the input of a transaction makes; undefined for one of no known contract. */
export function decodeCall(input: Hex): Decoded | undefined {
  const entry = functions.get(input.slice(0, 10) as Hex)
  if (entry === undefined) return undefined
  const { contract, item } = entry
  try {
    const { args = [] } = decodeFunctionData({ abi: [item], data: input })
    const decoded = { contract, name: item.name, args: named(item.inputs, args as unknown[]) }
    if (!multicalls.has(item.name)) return decoded
    const { calls, ...others } = decoded.args
    return { ...decoded, args: others, calls: (calls as readonly Hex[]).map(decodeCall) }
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

/**
 * The error that a call reverted with, from what it returned; undefined for one of no known contract. Errors that an
 * error quotes, such as why an intent failed, are its `calls`.
 */
export function decodeRevert(data: Hex): Decoded | undefined {
  const entry = errors.get(data.slice(0, 10) as Hex)
  if (entry === undefined) return undefined
  const { contract, item } = entry
  try {
    const { args = [] } = decodeErrorResult({ abi: [item], data })
    const values = args as readonly unknown[]
    const quoted = values.flatMap((value, at) =>
      item.inputs[at]?.type === 'bytes' ? (decodeRevert(value as Hex) ?? []) : [],
    )
    return {
      ...{ contract, name: item.name, args: named(item.inputs, values) },
      ...(quoted.length === 0 ? {} : { calls: quoted }),
    }
  } catch {
    return undefined
  }
}

const named = (
  inputs: readonly { readonly name?: string | undefined }[],
  args: readonly unknown[],
) => Object.fromEntries(args.map((value, at) => [inputs[at]?.name || String(at), plain(value)]))
