import type { BuiltinContext } from './builtin.ts'

/** Longest needle for which the native search is linear in practice. */
const SHORT = 250

/**
 * The offset of `part` in `text`, in UTF-16 units, or -1. The native search is quadratic in the
 * worst case for long needles; for those the linear Knuth-Morris-Pratt algorithm is used.
 */
export function find(ctx: BuiltinContext, text: string, part: string, from = 0): number {
  const left = text.length - from
  if (part.length > left) return part === '' ? from : -1
  if (part.length <= SHORT) {
    const at = text.indexOf(part, from)
    const seen = (at < 0 ? left : at - from) + 1
    ctx.meter.charge(1 + seen / 64 + (seen * part.length) / 4_096)
    return at
  }
  ctx.meter.charge(1 + (left + part.length) / 8)
  ctx.meter.allocate(4 * part.length)
  return linear(text, part, from)
}

/** For each prefix of a text, the length of its longest proper prefix that is also its suffix. */
function borders(part: string): Int32Array {
  const table = new Int32Array(part.length)
  for (let i = 1, length = 0; i < part.length; i++) {
    while (length > 0 && part.charCodeAt(i) !== part.charCodeAt(length)) {
      length = table[length - 1] as number
    }
    if (part.charCodeAt(i) === part.charCodeAt(length)) length++
    table[i] = length
  }
  return table
}

function linear(text: string, part: string, from: number): number {
  for (const at of occurrences(text, part, from)) return at
  return -1
}

/** All occurrences, also overlapping ones. */
function* occurrences(text: string, part: string, from: number): Generator<number> {
  const table = borders(part)
  for (let i = from, length = 0; i < text.length; i++) {
    while (length > 0 && text.charCodeAt(i) !== part.charCodeAt(length)) {
      length = table[length - 1] as number
    }
    if (text.charCodeAt(i) === part.charCodeAt(length)) length++
    if (length === part.length) {
      yield i - length + 1
      length = table[length - 1] as number
    }
  }
}

function allOverlapping(ctx: BuiltinContext, text: string, part: string): number[] {
  ctx.meter.charge(1 + (text.length + part.length) / 8)
  ctx.meter.allocate(4 * part.length)
  const found = [...occurrences(text, part, 0)]
  ctx.meter.allocate(found.length * 8)
  return found
}

/** Occurrences of the non-empty `part`, which do not overlap unless asked for. */
export function findAll(
  ctx: BuiltinContext,
  text: string,
  part: string,
  { overlapping = false } = {},
): number[] {
  if (overlapping && part.length > SHORT) return allOverlapping(ctx, text, part)
  const found: number[] = []
  const step = overlapping ? 1 : part.length
  for (let at = find(ctx, text, part); at >= 0; at = find(ctx, text, part, at + step)) {
    found.push(at)
  }
  ctx.meter.allocate(found.length * 8)
  return found
}
