import { AppError } from 'polgate-lib/errors/appError.ts'

/**
 * Human-readable ABI signatures (decision R4), parsed in one pass over bounded text: they are
 * untrusted, and a general parser caches and backtracks.
 */

/** An ABI type; `uint` and `int` are normalized to 256 bits. */
export type AbiType =
  | { readonly kind: 'uint' | 'int'; readonly bits: number }
  | { readonly kind: 'address' | 'bool' | 'string' | 'bytes' }
  | { readonly kind: 'fixedBytes'; readonly size: number }
  | { readonly kind: 'array'; readonly of: AbiType; readonly length: number | undefined }
  | { readonly kind: 'tuple'; readonly of: readonly AbiType[] }

export type FunctionSignature = {
  readonly name: string
  readonly inputs: readonly AbiType[]
  /** `name(type,type)`, the text whose hash starts with the selector. */
  readonly canonical: string
}

const maxLength = 4096
const maxDepth = 16
const maxTypes = 256
/** Words that may be between a type and the name of its parameter. */
const locations = new Set(['calldata', 'memory', 'storage', 'payable', 'indexed'])
/** Words that may follow the parameters. */
const modifiers = /^(external|public|internal|private|view|pure|payable|nonpayable)$/

function elementary(word: string): AbiType | undefined {
  if (word === 'address' || word === 'bool' || word === 'string' || word === 'bytes')
    return { kind: word }
  const [, name, digits] = /^(uint|int|bytes)([1-9][0-9]{0,2})?$/.exec(word) ?? []
  if (name === 'bytes') {
    const size = Number(digits)
    return size <= 32 ? { kind: 'fixedBytes', size } : undefined
  }
  if (name !== 'uint' && name !== 'int') return undefined
  const bits = Number(digits ?? 256)
  return bits <= 256 && bits % 8 === 0 ? { kind: name, bits } : undefined
}

function textOf(type: AbiType): string {
  switch (type.kind) {
    case 'uint':
    case 'int':
      return `${type.kind}${type.bits}`
    case 'fixedBytes':
      return `bytes${type.size}`
    case 'array':
      return `${textOf(type.of)}[${type.length ?? ''}]`
    case 'tuple':
      return `(${type.of.map(textOf).join(',')})`
    default:
      return type.kind
  }
}

class NotASignature extends AppError {}

/** Cursor over the text; every step advances. */
function reader(text: string) {
  let at = 0
  let types = 0
  const skip = () => {
    while (text[at] === ' ' || text[at] === '\t') at++
  }
  const word = (): string => {
    const start = at
    while (/[\w$]/.test(text[at] ?? '')) at++
    return text.slice(start, at)
  }
  const take = (char: string): boolean => {
    skip()
    if (text[at] !== char) return false
    at++
    return true
  }
  const expect = (char: string) => {
    if (!take(char)) throw new NotASignature()
  }

  const arrays = (inner: AbiType, depth: number): AbiType => {
    if (text[at] !== '[') return inner
    if (depth > maxDepth) throw new NotASignature()
    at++
    const digits = word()
    expect(']')
    if (!/^([1-9][0-9]{0,5})?$/.test(digits)) throw new NotASignature()
    const length = digits === '' ? undefined : Number(digits)
    return arrays({ kind: 'array', of: inner, length }, depth + 1)
  }

  const type = (depth: number): AbiType => {
    if (depth > maxDepth || ++types > maxTypes) throw new NotASignature()
    skip()
    const name = word()
    if ((name === '' || name === 'tuple') && text[at] === '(') {
      const of = parameters(depth + 1)
      // The ABI has no empty tuple: an array of them would have any length in zero bytes.
      if (of.length === 0) throw new NotASignature()
      return arrays({ kind: 'tuple', of }, depth + 1)
    }
    const found = elementary(name)
    if (found === undefined) throw new NotASignature()
    return arrays(found, depth + 1)
  }

  const parameter = (depth: number): AbiType => {
    const found = type(depth)
    let names = 0
    for (;;) {
      const before = at
      skip()
      const next = word()
      if (next === '') return found
      if (at === before + next.length) throw new NotASignature()
      if (!locations.has(next) && ++names > 1) throw new NotASignature()
    }
  }

  const parameters = (depth: number): AbiType[] => {
    expect('(')
    if (take(')')) return []
    const found = [parameter(depth)]
    while (take(',')) found.push(parameter(depth))
    expect(')')
    return found
  }

  const tail = () => {
    for (;;) {
      skip()
      const next = word()
      if (next === 'returns') {
        skip()
        parameters(0)
        skip()
      }
      if (next === '' || next === 'returns') break
      if (!modifiers.test(next)) throw new NotASignature()
    }
    take(';')
    skip()
    if (at !== text.length) throw new NotASignature()
  }

  return { skip, word, parameters, tail }
}

/** Parses a signature; returns undefined if it is invalid. Never throws. */
export function parseFunctionSignature(text: string): FunctionSignature | undefined {
  if (text.length > maxLength) return undefined
  const read = reader(text.trim())
  try {
    let name = read.word()
    if (name === 'function') {
      read.skip()
      name = read.word()
    }
    if (!/^[A-Za-z_$][\w$]*$/.test(name) || name === 'function') return undefined
    read.skip()
    const inputs = read.parameters(0)
    read.tail()
    return { name, inputs, canonical: `${name}(${inputs.map(textOf).join(',')})` }
  } catch (error) {
    if (error instanceof NotASignature) return undefined
    throw error
  }
}
