import type { TaskSuccess } from './taskOutcome.ts'

export type TaskDecision = {
  /** Whether the contract would let the intent pass. */
  readonly allow: boolean
  /** The policy's value: a boolean, a string such as `CAP`, or any JSON; undefined if unreadable. */
  readonly value: unknown
}

/** The string in its ABI encoding: offset 32, length, bytes padded with zeros. */
function abiString(bytes: Uint8Array): string | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 64 || bytes.length % 32 !== 0) return undefined
  const word = (at: number) => bytes.subarray(at, at + 28).every((byte) => byte === 0)
  if (!word(0) || view.getUint32(28) !== 32 || !word(32)) return undefined
  const length = view.getUint32(60)
  if (bytes.length !== 64 + Math.ceil(length / 32) * 32) return undefined
  return new TextDecoder().decode(bytes.subarray(64, 64 + length))
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

/**
 * The decision in `task_response.evaluation_result` (decision T11). It allows for the boolean true
 * and for the string `true`; anything else denies.
 */
export function taskDecision({ task_response }: Pick<TaskSuccess, 'task_response'>): TaskDecision {
  const bytes = Uint8Array.from(task_response.evaluation_result)
  if (bytes.length === 32 && bytes.subarray(0, 31).every((byte) => byte === 0) && bytes[31]! <= 1)
    return { allow: bytes[31] === 1, value: bytes[31] === 1 }
  const text = abiString(bytes)
  if (text !== undefined) return { allow: text === 'true', value: text }
  return { allow: false, value: parseJson(bytes) }
}
