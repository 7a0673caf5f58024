import {
  type AbiFunction,
  type AbiParameter,
  encodeFunctionData,
  parseAbiItem,
  toFunctionSignature,
} from 'viem'
import { InvalidOptionsError } from '../errors/accessErrors.ts'
import type { Hex } from '../hex.ts'

/** Calldata of `transfer(address,uint256)` with its arguments as text. */
export type EncodedCall = { readonly data: Hex; readonly signature: string }

/**
 * The function of a readable signature, with or without names of its arguments.
 *
 * @throws InvalidOptionsError
 */
export function functionOf(signature: string): AbiFunction {
  try {
    const item = parseAbiItem(`function ${signature.replace(/^function /, '')}`)
    if (item.type === 'function') return item
  } catch {
    // Below.
  }
  throw new InvalidOptionsError(
    `'${signature.slice(0, 100)}' is not a function signature.`,
    'Use the readable form, such as transfer(address,uint256).',
  )
}

/**
 * Encodes a call whose arguments are text. Arrays and tuples are JSON, in which large numbers are
 * strings.
 *
 * @throws InvalidOptionsError that names the argument
 */
export function encodeCall(item: AbiFunction, texts: readonly string[]): EncodedCall {
  const { inputs } = item
  const signature = toFunctionSignature(item)
  if (inputs.length !== texts.length)
    throw new InvalidOptionsError(
      `${signature.slice(0, 100)} takes ${inputs.length} arguments, not ${texts.length}.`,
      'Pass one text for each argument.',
    )
  const args = inputs.map((input, at) => argumentOf(input, texts[at]!, at))
  try {
    return { data: encodeFunctionData({ abi: [item], functionName: item.name, args }), signature }
  } catch (cause) {
    const { shortMessage } = cause as { shortMessage?: string }
    throw new InvalidOptionsError(
      shortMessage ?? String(cause),
      'Check the types of the arguments against the signature.',
    )
  }
}

/**
 * An argument as viem takes it, from its text.
 *
 * @param at its position, which names it in an error if it has no name
 * @throws InvalidOptionsError
 */
export function argumentOf(input: AbiParameter, text: string, at: number): unknown {
  const name = input.name === undefined || input.name === '' ? `${at + 1}` : input.name
  return converted(input, parsed(input, text, name), name)
}

const isComposite = (type: string) => type.startsWith('tuple') || type.endsWith(']')

function parsed({ type }: AbiParameter, text: string, name: string): unknown {
  if (!isComposite(type)) return text
  try {
    return JSON.parse(text)
  } catch {
    throw refused(name, type, 'it is not JSON')
  }
}

const refused = (name: string, type: string, why: string) =>
  new InvalidOptionsError(
    `Argument ${name} is not a valid ${type}: ${why}.`,
    'Arrays and tuples are JSON, such as ["0x...", "1"]; large numbers in them are strings.',
  )

/**
 * An argument as viem takes it, from text or JSON.
 *
 * @param name for errors
 * @throws InvalidOptionsError
 */
export function converted(parameter: AbiParameter, value: unknown, name: string): unknown {
  const { type } = parameter
  const [, element, length] = /^(.*)\[(\d*)\]$/.exec(type) ?? []
  if (element !== undefined) {
    if (!Array.isArray(value) || (length !== '' && value.length !== Number(length)))
      throw refused(name, type, 'it is not an array of that length')
    return value.map((each, at) =>
      converted({ ...parameter, type: element }, each, `${name}[${at}]`),
    )
  }
  if (type === 'tuple') {
    const components = (parameter as { components: readonly AbiParameter[] }).components
    const isNamed = components.every((each) => each.name)
    const values = Array.isArray(value)
      ? value
      : components.map((each) => (value as Record<string, unknown> | null)?.[each.name ?? ''])
    if (values.length !== components.length || values.includes(undefined))
      throw refused(name, type, `it needs ${components.length} members`)
    const inner = components.map((each, at) =>
      converted(each, values[at], `${name}.${each.name ?? at}`),
    )
    return isNamed
      ? Object.fromEntries(components.map((each, at) => [each.name!, inner[at]]))
      : inner
  }
  if (/^u?int\d*$/.test(type)) return integerOf(value, type, name)
  if (type === 'bool') {
    if (value === 'true' || value === true) return true
    if (value === 'false' || value === false) return false
    throw refused(name, type, 'use true or false')
  }
  if (typeof value !== 'string') throw refused(name, type, 'it is not a string')
  return value
}

function integerOf(value: unknown, type: string, name: string): bigint {
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw refused(name, type, 'a large number in JSON must be a string')
  const text = String(value)
  if (!/^(-?\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(text))
    throw refused(name, type, 'use a whole number, decimal or hex')
  return BigInt(text)
}
