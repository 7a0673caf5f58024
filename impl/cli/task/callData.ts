import { type AbiParameter, encodeFunctionData, parseAbiItem, toFunctionSignature } from 'viem'
import { CommandError } from '../commandDefinition.ts'

/** Calldata of `transfer(address,uint256)` with its arguments as text. */
export type Call = { readonly data: `0x${string}`; readonly signature: string }

/**
 * Encodes a call. Arrays and tuples are JSON, in which large numbers are strings.
 *
 * @param words the signature, then an argument each
 * @throws CommandError
 */
export function callData([signature = '', ...texts]: readonly string[]): Call {
  const item = functionOf(signature)
  const { inputs } = item
  if (inputs.length !== texts.length)
    throw new CommandError(
      `--call ${signature.slice(0, 100)} takes ${inputs.length} arguments, not ${texts.length}`,
      { hint: 'Quote the signature, and each argument that contains spaces.' },
    )
  const args = inputs.map((input, at) => {
    const name = input.name === undefined || input.name === '' ? `${at + 1}` : input.name
    return converted(input, parsed(input, texts[at]!, name), name)
  })
  try {
    const data = encodeFunctionData({ abi: [item], functionName: item.name, args })
    return { data, signature: toFunctionSignature(item) }
  } catch (cause) {
    const { shortMessage } = cause as { shortMessage?: string }
    throw new CommandError(`--call: ${shortMessage ?? String(cause)}`, {
      hint: 'Check the types of the arguments against the signature.',
      cause,
    })
  }
}

function functionOf(signature: string) {
  try {
    const item = parseAbiItem(`function ${signature.replace(/^function /, '')}`)
    if (item.type === 'function') return item
  } catch {
    // Below.
  }
  throw new CommandError(`--call '${signature.slice(0, 100)}' is not a function signature`, {
    hint: "Use the readable form, such as --call 'transfer(address,uint256)' 0x... 100.",
  })
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
  new CommandError(`argument ${name} is not a valid ${type}: ${why}`, {
    hint: 'Arrays and tuples are JSON, such as \'["0x...", "1"]\'; large numbers in them are strings.',
  })

/**
 * An argument as viem takes it, from text or JSON.
 *
 * @param name for errors
 * @throws CommandError
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
