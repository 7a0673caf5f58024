import type { TaskIntent } from 'polgate-client/index.ts'
import type { EncodedCall } from 'polgate-client/intents/encodeCall.ts'
import { getAddress, isAddress, parseUnits, stringToHex, toHex } from 'viem'
import { CommandError } from '../commandDefinition.ts'
import { type Changes, usualIntent } from '../package/resolvedCase.ts'
import { chainIdOf } from '../policy/httpOptions.ts'
import { checkWasmArgs } from '../policy/inputFiles.ts'
import { chainOf, type ServiceTarget } from '../stack/serviceTarget.ts'
import { callData } from './callData.ts'

export type IntentOptions = {
  readonly client?: string
  readonly from?: string
  readonly to?: string
  readonly value?: string
  readonly data?: string
  readonly call?: readonly string[]
  /** Text of `function_signature`; default that of `--call`. */
  readonly functionSignature?: string
  /** Decimal or hex: takes the place of that of a package. */
  readonly chainId?: string
}

type Hex = `0x${string}`

/** An address, or the name of one in a table. @throws CommandError */
export function addressNamed(
  option: string,
  text: string,
  names: Readonly<Record<string, string>>,
): Hex {
  if (Object.hasOwn(names, text)) return getAddress(names[text]!)
  if (isAddress(text, { strict: false })) return getAddress(text)
  throw new CommandError(`${option} '${text.slice(0, 80)}' is neither an address nor known`, {
    hint: `Known names: ${Object.keys(names).join(', ') || 'none'}.`,
  })
}

export const accountNames = ({ accounts }: ServiceTarget): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(accounts).map(([name, { address }]) => [name, address]))

/** The policy client of `--client`. @throws CommandError */
export function clientAddress(target: ServiceTarget, client: string | undefined): Hex {
  const names = Object.fromEntries(
    Object.entries(target.clients).map(([name, { policyClient }]) => [name, policyClient]),
  )
  if (client !== undefined) return addressNamed('--client', client, names)
  throw new CommandError('no policy client is given', {
    hint: `Pass --client with an address, or one of ${Object.keys(names).slice(0, 20).join(', ') || 'none'}.`,
  })
}

/**
 * The intent that the options describe, as the wire has it.
 *
 * @param base members that stay as they are where no option says something else
 * @throws CommandError
 */
export function intentOf(
  target: ServiceTarget,
  options: IntentOptions,
  base: Changes = {},
): TaskIntent {
  const names = accountNames(target)
  const { call, data } = options
  if (call !== undefined && data !== undefined)
    throw new CommandError('--call and --data exclude each other', {
      hint: '--call encodes the calldata.',
    })
  const encoded = call === undefined ? undefined : callData(call)
  const isSender = !Object.hasOwn(base, 'from') && Object.hasOwn(names, 'sender')
  const from = options.from ?? (isSender ? 'sender' : undefined)
  const { chainId } = chainOf(target)
  const intent = {
    ...usualIntent(chainId),
    ...base,
    ...withoutAbsent({
      from: from && addressNamed('--from', from, names),
      to: options.to && addressNamed('--to', options.to, names),
      value: options.value && toHex(weiOf('--value', options.value)),
      data: encoded?.data ?? (data && dataOf(data)),
      chain_id: options.chainId && toHex(chainIdOf(options.chainId) ?? 0),
      function_signature: functionSignatureOf(options, encoded),
    }),
  } as unknown as TaskIntent
  if (intent.from === undefined)
    throw new CommandError('the intent has no sender', { hint: 'Pass --from ADDRESS.' })
  if (intent.to === undefined)
    throw new CommandError('the intent has no recipient', {
      hint: 'Pass --to with an address, or the name of an account of the target.',
    })
  requireChain(intent, chainId)
  return intent
}

const withoutAbsent = (members: Changes): Changes =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))

function functionSignatureOf(
  { functionSignature }: IntentOptions,
  encoded: EncodedCall | undefined,
): Hex | undefined {
  const text = functionSignature ?? encoded?.signature
  return text === undefined ? undefined : stringToHex(text)
}

/** A task runs on the chain of its gateway. */
function requireChain({ chain_id }: TaskIntent, chainId: number): void {
  if (!/^0x[0-9a-fA-F]{1,16}$/.test(chain_id) || BigInt(chain_id) === BigInt(chainId)) return
  throw new CommandError(
    `the intent of the package is for chain ${BigInt(chain_id)}, the target is on chain ${chainId}`,
    { hint: `Pass --chain-id ${chainId}, change chain_id in its file, or use another target.` },
  )
}

const decimals: Readonly<Record<string, number>> = { '': 0, wei: 0, gwei: 9, ether: 18, eth: 18 }

/** `5`, `5wei`, `1.5gwei` and `0.1ether` in wei. @throws CommandError */
export function weiOf(option: string, text: string): bigint {
  const [, number = '', fraction = '', unit = ''] =
    /^(\d{1,78})(\.\d{1,18})? ?([a-z]*)$/.exec(text) ?? []
  const places = decimals[unit]
  if (number !== '' && places !== undefined && fraction.length <= places + (places === 0 ? 0 : 1)) {
    const wei = parseUnits(`${number}${fraction}`, places)
    if (wei < 2n ** 256n) return wei
  }
  throw new CommandError(`${option} '${text.slice(0, 80)}' is not an amount`, {
    hint: 'Use wei, as in 1000, or a unit: 5gwei, 0.1ether.',
  })
}

function dataOf(text: string): Hex {
  if (/^0x([0-9a-fA-F]{2})*$/.test(text)) return text as Hex
  throw new CommandError(`--data '${text.slice(0, 60)}' is not hex`, {
    hint: 'Use 0x and an even number of digits, or let --call encode it.',
  })
}

/** `--wasm-args` as the wire has them: hex of JSON. @throws CommandError */
export const wasmArgsOf = (text: string | undefined): Hex | undefined =>
  text === undefined ? undefined : stringToHex(checkWasmArgs('--wasm-args', text))
