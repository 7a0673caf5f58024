import {
  type Abi,
  type AbiFunction,
  type AbiParameter,
  encodeFunctionData,
  isHex,
  parseAbiItem,
  stringToHex,
  toFunctionSelector,
  toFunctionSignature,
} from 'viem'
import { InvalidOptionsError } from '../errors/accessErrors.ts'
import { bounded } from '../errors/clientError.ts'
import type { Hex } from '../hex.ts'

/** A call that gives a contract its policy, by the function that the contract has for it. */
export type PolicyCall =
  | string
  | {
      /** Its signature, `configurePolicy(address,(bytes,uint32))`; its name alone if the ABI is given. */
      readonly function: string
      /**
       * One for each parameter: `$policy`, `$params`, `$expireAfter`, `$owner`, `$taskManager`, or a value; an
       * array or object for a tuple. By default an address is the policy, bytes and strings are the
       * parameters, and an integer is `expireAfter`.
       */
      readonly arguments?: readonly unknown[] | undefined
    }

/** What the placeholders of a call stand for. */
export type PolicySettings = {
  readonly policy: Hex
  /** JSON text; default `{}`. */
  readonly policyParams?: string | undefined
  /** Blocks for which an attestation is valid; default 300. */
  readonly expireAfter?: number | undefined
  readonly owner?: Hex | undefined
  readonly taskManager?: Hex | undefined
}

/** A call as viem takes it. */
export type EncodedPolicyCall = {
  /** The ABI of the function alone. */
  readonly abi: readonly [AbiFunction]
  readonly functionName: string
  readonly args: readonly unknown[]
  /** `configurePolicy(address,(bytes,uint32))`. */
  readonly signature: string
  readonly data: Hex
}

/** The setter of the sample clients (decision C9). */
export const defaultPolicyCall = 'setPolicy(address,(bytes,uint32))'

/**
 * Encodes the calls that give a policy client its policy, whatever names its contract has for that.
 *
 * @param calls in their order; default `setPolicy(address,(bytes,uint32))`
 * @param abi of the contract: a function that it does not have is an error
 * @throws InvalidOptionsError for a signature or argument that does not fit; nothing was sent
 */
export function encodePolicyCalls(
  calls: PolicyCall | readonly PolicyCall[] | undefined,
  settings: PolicySettings,
  abi?: Abi,
): readonly EncodedPolicyCall[] {
  const list = calls === undefined ? [defaultPolicyCall] : Array.isArray(calls) ? calls : [calls]
  return list.map((each: PolicyCall) => encodedCall(each, settings, abi))
}

function encodedCall(
  call: PolicyCall,
  settings: PolicySettings,
  abi: Abi | undefined,
): EncodedPolicyCall {
  const { function: wanted, arguments: given } =
    typeof call === 'string' ? { function: call } : call
  const item = functionOf(wanted, abi)
  const signature = toFunctionSignature(item)
  const { inputs } = item
  const values = given ?? impliedArguments(item, signature)
  if (values.length !== inputs.length)
    throw new InvalidOptionsError(
      `${shown(signature)} takes ${inputs.length} arguments, not ${values.length}.`,
      'Give one for each parameter; a tuple is an array.',
    )
  const args = inputs.map((input, at) => filled(input, values[at], settings, signature))
  try {
    const data = encodeFunctionData({ abi: [item], functionName: item.name, args })
    return { abi: [item], functionName: item.name, args, signature, data }
  } catch (cause) {
    throw new InvalidOptionsError(
      `The arguments of ${shown(signature)} do not fit.`,
      'Compare them with the types of the parameters.',
      { cause, details: bounded(String((cause as { shortMessage?: string }).shortMessage), 300) },
    )
  }
}

const shown = (signature: string): string => bounded(signature, 200)

function functionOf(wanted: string, abi: Abi | undefined): AbiFunction {
  const text = wanted.trim().replace(/^function\s+/, '')
  const functions = (abi ?? []).filter((item) => item.type === 'function')
  if (/^[A-Za-z_$][\w$]*$/.test(text) && abi !== undefined) {
    const named = functions.filter(({ name }) => name === text)
    if (named.length === 1) return named[0]!
    throw missing(text, functions, named.length > 1 ? 'has several functions' : 'has no function')
  }
  const parsed = parsedSignature(text)
  if (abi === undefined) return parsed
  const selector = toFunctionSelector(parsed)
  const own = functions.find((item) => toFunctionSelector(item) === selector)
  if (own === undefined) throw missing(text, functions, 'has no function')
  return own
}

function parsedSignature(text: string): AbiFunction {
  try {
    const item = text.length > 1_000 ? undefined : parseAbiItem(`function ${text}`)
    if (item?.type === 'function') return item
  } catch {
    // Below.
  }
  throw new InvalidOptionsError(
    `'${shown(text)}' is not the signature of a function.`,
    'Write it as setPolicy(address,(bytes,uint32)).',
  )
}

/** What can change the contract, those of a similar name first. */
function missing(wanted: string, functions: readonly AbiFunction[], what: string) {
  const name = /^[\w$]*/.exec(wanted)?.[0].toLowerCase() ?? ''
  const isSimilar = (each: AbiFunction) =>
    each.name.toLowerCase().includes(name) || /policy|config|param|init/i.test(each.name)
  const writes = functions.filter(
    ({ stateMutability }) => stateMutability === 'nonpayable' || stateMutability === 'payable',
  )
  const similar = [...writes.filter(isSimilar), ...writes.filter((each) => !isSimilar(each))]
  const list = similar.slice(0, 8).map((each) => bounded(toFunctionSignature(each), 120))
  return new InvalidOptionsError(
    `The contract ${what} ${shown(wanted)}.`,
    list.length === 0
      ? 'Its ABI has no function that changes it.'
      : `Functions that change it: ${list.join(', ')}${similar.length > 8 ? ', ...' : ''}.`,
  )
}

/** Arguments by the types, where each placeholder is used at most once. */
function impliedArguments({ inputs }: AbiFunction, signature: string): readonly unknown[] {
  const used = new Set<string>()
  const imply = (parameter: AbiParameter): unknown => {
    if (parameter.type === 'tuple') return componentsOf(parameter).map(imply)
    const name = impliedBy(parameter.type)
    if (name === undefined || used.has(name))
      throw new InvalidOptionsError(
        `The arguments of ${shown(signature)} are not clear: ${bounded(`${parameter.type} ${parameter.name ?? ''}`.trim(), 100)}${name === undefined ? '' : ` could be ${name} as well`}.`,
        'Give them: arguments: [$policy, $params, $expireAfter], one for each parameter.',
      )
    used.add(name)
    return name
  }
  return inputs.map(imply)
}

function impliedBy(type: string): string | undefined {
  if (type === 'address') return '$policy'
  if (type === 'bytes' || type === 'string') return '$params'
  return /^uint\d*$/.test(type) ? '$expireAfter' : undefined
}

const componentsOf = (parameter: AbiParameter): readonly AbiParameter[] =>
  (parameter as { readonly components?: readonly AbiParameter[] }).components ?? []

/**
 * A value with its placeholders filled, as viem takes it.
 *
 * @throws InvalidOptionsError
 */
function filled(
  parameter: AbiParameter,
  value: unknown,
  settings: PolicySettings,
  signature: string,
): unknown {
  const { type } = parameter
  const refuse = (why: string): never => {
    throw new InvalidOptionsError(
      `An argument of ${shown(signature)} does not fit ${bounded(type, 100)}: ${why}.`,
      'Arguments are $policy, $params, $expireAfter, $owner, $taskManager, or values.',
    )
  }
  if (typeof value === 'string' && value.startsWith('$'))
    return placeholder(type, value, settings, refuse)
  const [, element, length] = /^(.*)\[(\d*)\]$/.exec(type) ?? []
  if (element !== undefined) {
    if (!Array.isArray(value) || (length !== '' && value.length !== Number(length)))
      return refuse('it is not an array of that length')
    const inner = { ...parameter, type: element }
    return value.map((each) => filled(inner, each, settings, signature))
  }
  if (type === 'tuple') {
    const components = componentsOf(parameter)
    const members = Array.isArray(value)
      ? value
      : components.map(({ name = '' }) => (value as Record<string, unknown> | null)?.[name])
    if (members.length !== components.length || members.includes(undefined))
      return refuse(`it needs ${components.length} members`)
    const inner = components.map((each, at) => filled(each, members[at], settings, signature))
    const isNamed = components.every(({ name }) => name !== undefined && name !== '')
    return isNamed
      ? Object.fromEntries(components.map(({ name }, at) => [name!, inner[at]]))
      : inner
  }
  if (!/^u?int\d*$/.test(type)) return value
  const isWhole = typeof value === 'bigint' || Number.isSafeInteger(value)
  const isText = typeof value === 'string' && /^(-?\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(value)
  return isWhole || isText ? BigInt(value as string) : refuse('it is not a whole number')
}

function placeholder(
  type: string,
  name: string,
  settings: PolicySettings,
  refuse: (why: string) => never,
): unknown {
  const { policyParams = '{}', expireAfter = 300, policy, owner, taskManager } = settings
  if (name === '$params') {
    if (type === 'string') return policyParams
    return type === 'bytes' ? stringToHex(policyParams) : refuse('$params are bytes or a string')
  }
  if (name === '$expireAfter')
    return /^uint\d*$/.test(type) ? BigInt(expireAfter) : refuse('$expireAfter is a uint')
  const address = new Map([
    ['$policy', policy],
    ['$owner', owner],
    ['$taskManager', taskManager],
  ])
  if (!address.has(name)) return refuse(`${bounded(name, 60)} is not known`)
  if (type !== 'address') return refuse(`${name} is an address`)
  const found = address.get(name)
  return isHex(found) ? found : refuse(`${name} is not given`)
}
