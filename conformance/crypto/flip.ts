import type { Hex } from 'viem'
import { type Attestation, decodeEvidence, encodeEvidence } from './attestation.ts'

/** A value inside an attestation, by its path; arrays by index. */
export type BitPosition = { readonly path: string; readonly bits: number }

/**
 * Members of the task that no operator signs: they come from the gateway's request, and a contract
 * can compare them with the task only once it was posted. Other checks observe changes of them.
 */
const unsigned = /^task\.(quorumThresholdPercentage|wasmArgs|taskCreatedBlock)$/

type Tree = { task: unknown; response: unknown; evidence: unknown }

const treeOf = (attestation: Attestation): Tree => ({
  task: attestation.task,
  response: attestation.response,
  evidence: decodeEvidence(attestation.signatureData),
})

const widths: Readonly<Record<string, number>> = { number: 32, bigint: 256 }

function walk(value: unknown, path: string): BitPosition[] {
  if (typeof value === 'string') {
    const bits = (value.length - 2) * 4
    return bits > 0 && !unsigned.test(path) ? [{ path, bits }] : []
  }
  const width = widths[typeof value]
  if (width !== undefined) return unsigned.test(path) ? [] : [{ path, bits: width }]
  return Object.entries(value as object).flatMap(([name, inner]) =>
    walk(inner, path === '' ? name : `${path}.${name}`),
  )
}

/** Every value of an attestation whose bits the operators' signatures cover. */
export const bitPositions = (attestation: Attestation): readonly BitPosition[] =>
  walk(treeOf(attestation), '')

function flipHex(hex: Hex, bit: number): Hex {
  const length = hex.length - 2
  return `0x${(BigInt(hex) ^ (1n << BigInt(bit))).toString(16).padStart(length, '0')}`
}

/** The same attestation with one bit changed. */
export function flipBit(attestation: Attestation, place: BitPosition, bit: number): Attestation {
  const tree = structuredClone(treeOf(attestation)) as Record<string, unknown>
  const names = place.path.split('.')
  const last = names.pop()!
  let holder = tree
  for (const name of names) holder = holder[name] as Record<string, unknown>
  const value = holder[last]
  const at = bit % place.bits
  if (typeof value === 'string') holder[last] = flipHex(value as Hex, at)
  else if (typeof value === 'bigint') holder[last] = value ^ (1n << BigInt(at))
  else holder[last] = Number(BigInt(value as number) ^ (1n << BigInt(at)))
  return {
    task: tree.task as Attestation['task'],
    response: tree.response as Attestation['response'],
    signatureData: encodeEvidence(tree.evidence as never),
  }
}

/** A path and a bit as text, for a report. */
export const nameOf = (place: BitPosition, bit: number): string =>
  `bit ${bit % place.bits} of ${place.path}`
