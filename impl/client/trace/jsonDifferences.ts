/** A place where one JSON document differs from another. */
export type JsonDifference = {
  /** Such as `price_feed.price`; empty for the whole. */
  readonly path: string
  /** JSON text; undefined where it is missing. */
  readonly own: string | undefined
  readonly settled: string | undefined
}

const most = 50
const longestValue = 200

/**
 * Where an operator's outputs differ from the settled data, leaf by leaf; at most 50 places. Both are JSON
 * texts in the order of the oracles.
 */
export function jsonDifferences(
  own: readonly string[],
  settled: readonly string[],
): readonly JsonDifference[] {
  const found: JsonDifference[] = []
  for (let at = 0; at < Math.max(own.length, settled.length); at += 1)
    compare(parsed(own[at]), parsed(settled[at]), '', found)
  return found.slice(0, most)
}

/** A text that is not JSON is compared as a string. */
function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}

const isContainer = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const shown = (value: unknown): string | undefined => JSON.stringify(value)?.slice(0, longestValue)

function compare(own: unknown, settled: unknown, path: string, found: JsonDifference[]): void {
  if (found.length >= most) return
  const alike =
    isContainer(own) && isContainer(settled) && Array.isArray(own) === Array.isArray(settled)
  if (!alike) {
    if (JSON.stringify(own) !== JSON.stringify(settled))
      found.push({ path, own: shown(own), settled: shown(settled) })
    return
  }
  for (const key of new Set([...Object.keys(settled), ...Object.keys(own)])) {
    const member = (value: Readonly<Record<string, unknown>>) =>
      Object.hasOwn(value, key) ? value[key] : undefined
    compare(member(own), member(settled), path === '' ? key : `${path}.${key}`, found)
  }
}
