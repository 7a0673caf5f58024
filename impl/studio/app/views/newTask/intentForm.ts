import { createIntent } from 'polgate-client'
import type { TaskIntent } from 'polgate-client/generated/rpcTypes.ts'
import { encodeCall, functionOf } from 'polgate-client/intents/encodeCall.ts'
import { type AbiFunction, isAddress, isHex, parseUnits, stringToHex } from 'viem'
import { etherText } from '../../ui/wei.ts'

/** How the calldata is given. */
export type CallKind = 'none' | 'signature' | 'abi' | 'data'

/** What is in the form, as text. */
export type IntentForm = {
  readonly policyClient: string
  readonly from: string
  readonly to: string
  readonly value: string
  readonly unit: 'wei' | 'ether'
  readonly call: CallKind
  /** `transfer(address,uint256)`. */
  readonly signature: string
  /** JSON ABI of a contract, or of one function. */
  readonly abi: string
  /** Signature of the chosen function of the ABI. */
  readonly chosen: string
  /** A text for each argument of the function. */
  readonly args: readonly string[]
  readonly data: string
  /** JSON, or empty. */
  readonly wasmArgs: string
}

export const emptyForm: IntentForm = {
  ...{ policyClient: '', from: '', to: '', value: '0', unit: 'wei', call: 'none' },
  ...{ signature: '', abi: '', chosen: '', args: [], data: '0x', wasmArgs: '' },
}

/** The functions of a JSON ABI that change something. @throws Error where it is none */
export function functionsOf(text: string): readonly AbiFunction[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw new Error('the ABI is not JSON')
  }
  const entries = Array.isArray(parsed) ? parsed : ((parsed as { abi?: unknown })?.abi ?? [parsed])
  const functions = (Array.isArray(entries) ? entries : []).filter(
    (entry): entry is AbiFunction =>
      entry?.type === 'function' &&
      entry.stateMutability !== 'view' &&
      entry.stateMutability !== 'pure',
  )
  if (functions.length === 0) throw new Error('the ABI has no function that changes anything')
  return functions
}

/** A function of an ABI as people write it: `transfer(address,uint256)`. */
export const signatureOf = ({ name, inputs }: AbiFunction): string =>
  `${name}(${inputs.map(({ type }) => type).join(',')})`

/** The function that the form calls; undefined if it calls none. @throws Error for an invalid one */
export function calledFunction(form: IntentForm): AbiFunction | undefined {
  if (form.call === 'signature')
    return form.signature === '' ? undefined : functionOf(form.signature)
  if (form.call !== 'abi' || form.abi.trim() === '') return undefined
  const functions = functionsOf(form.abi)
  return functions.find((each) => signatureOf(each) === form.chosen) ?? functions[0]
}

export type Problems = Partial<Record<keyof IntentForm, string>>

type Built =
  | { readonly intent: TaskIntent; readonly wasmArgs: `0x${string}` | undefined }
  | { readonly problems: Problems }

type Hex = `0x${string}`

/** The intent of the form, or what is wrong with which field. */
export function buildIntent(form: IntentForm, chainId: number): Built {
  const problems: { -readonly [Name in keyof Problems]: Problems[Name] } = {}
  for (const name of ['policyClient', 'from', 'to'] as const)
    if (!isAddress(form[name], { strict: false }))
      problems[name] = form[name] === '' ? 'choose or enter an address' : 'this is not an address'
  const value = attempt(problems, 'value', () => weiOf(form))
  const call = attempt(problems, callField(form), () => callOf(form))
  const wasmArgs = attempt(problems, 'wasmArgs', () => wasmArgsOf(form.wasmArgs))
  if (Object.keys(problems).length > 0 || call === undefined) return { problems }
  const intent = createIntent({
    ...{ from: form.from as Hex, to: form.to as Hex, chainId, data: call.data },
    ...(value === undefined ? {} : { value }),
    ...(call.signature === undefined ? {} : { functionSignature: call.signature }),
  })
  return { intent, wasmArgs }
}

const callField = ({ call }: IntentForm) =>
  call === 'data' ? 'data' : call === 'abi' ? 'abi' : 'signature'

function attempt<T>(problems: Problems, name: keyof IntentForm, work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    const { shortMessage, message } = error as Error & { shortMessage?: string }
    Object.assign(problems, { [name]: shortMessage ?? message })
    return undefined
  }
}

/** The value in the other unit; undefined while it is not valid. */
export function otherUnit(form: IntentForm): string | undefined {
  try {
    const wei = weiOf(form)
    return form.unit === 'wei' ? etherText(wei) : `${wei} wei`
  } catch {
    return undefined
  }
}

function weiOf({ value, unit }: IntentForm): bigint {
  if (unit === 'wei' ? !/^\d{1,78}$/.test(value) : !/^\d{1,60}(\.\d{1,18})?$/.test(value))
    throw new Error(unit === 'wei' ? 'use a whole number of wei' : 'use a number of ether')
  return parseUnits(value, unit === 'wei' ? 0 : 18)
}

function callOf(form: IntentForm): { readonly data: Hex; readonly signature?: string } {
  if (form.call === 'none') return { data: '0x' }
  if (form.call === 'data') {
    if (!isHex(form.data) || form.data.length % 2 !== 0)
      throw new Error('use 0x and hex digits in pairs')
    return { data: form.data }
  }
  const item = calledFunction(form)
  if (item === undefined)
    throw new Error(form.call === 'abi' ? 'paste an ABI' : 'enter a signature')
  return encodeCall(
    item,
    item.inputs.map((_, at) => form.args[at] ?? ''),
  )
}

function wasmArgsOf(text: string): Hex | undefined {
  if (text.trim() === '') return undefined
  try {
    return stringToHex(JSON.stringify(JSON.parse(text)))
  } catch {
    throw new Error('this is not JSON')
  }
}
