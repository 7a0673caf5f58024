/** Limits of one logged value, in the order in which they apply. */
const maxDepth = 6
const maxMembers = 50
const maxItems = 20
const maxString = 1_000
const maxName = 60
const maxCauses = 5
const maxStackLines = 12
/** Characters of all texts together, as JSON. */
const maxCharacters = 12_000
/** Number of all objects, lists and plain values. */
const maxValues = 400

type Budget = { characters: number; values: number }

/**
 * Copies any value to small plain JSON: long texts and lists are truncated, bytes are counted,
 * cycles and members that throw are marked. Never throws.
 */
export function boundedValue(value: unknown): unknown {
  return copy(value, { characters: maxCharacters, values: maxValues }, [])
}

/** Truncates a text like a logged one. */
export const boundedText = (text: string, most = maxString): string =>
  text.length <= most
    ? text
    : `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}... (${text.length} characters)`

function copy(value: unknown, budget: Budget, above: readonly object[]): unknown {
  budget.values -= 1
  if (budget.values < 0) return '[cut]'
  switch (typeof value) {
    case 'string':
      return textOf(value, budget)
    case 'number':
    case 'boolean':
    case 'undefined':
      return value
    case 'bigint':
      return textOf(String(value), budget)
    case 'object':
      return value === null ? null : attempt(() => copyOfObject(value, budget, above))
    default:
      return `[${typeof value}]`
  }
}

function textOf(text: string, budget: Budget): string {
  const cut = boundedText(text)
  const cost = JSON.stringify(cut).length
  // An escaped character takes up to six characters.
  const fitting =
    cost <= budget.characters ? cut : boundedText(text, Math.floor(budget.characters / 6))
  budget.characters -= Math.min(cost, budget.characters)
  return fitting
}

function copyOfObject(value: object, budget: Budget, above: readonly object[]): unknown {
  if (above.includes(value)) return '[circular]'
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
    return `[${value.byteLength} bytes]`
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  const within = [...above, value]
  if (value instanceof Error) return copyOfError(value, budget, within)
  if (within.length > maxDepth) return Array.isArray(value) ? '[list]' : '[object]'
  if (Array.isArray(value)) return copyOfList(value, budget, within)
  if (value instanceof Map || value instanceof Set) return `[${value.size} entries]`
  return copyOfMembers(value, budget, within)
}

function copyOfList(
  list: readonly unknown[],
  budget: Budget,
  within: readonly object[],
): unknown[] {
  const copies = Array.from({ length: Math.min(list.length, maxItems) }, (_, at) =>
    copy(
      attempt(() => list[at]),
      budget,
      within,
    ),
  )
  const more = list.length - copies.length
  return more > 0 ? [...copies, `[${more} more]`] : copies
}

function copyOfMembers(
  value: object,
  budget: Budget,
  within: readonly object[],
  skipped: readonly string[] = [],
): Record<string, unknown> {
  const names = Object.keys(value).filter((name) => !skipped.includes(name))
  const copies = names.slice(0, maxMembers).map((name) => {
    return [
      boundedText(name, maxName),
      copy(
        attempt(() => Reflect.get(value, name)),
        budget,
        within,
      ),
    ] as const
  })
  if (names.length > maxMembers) copies.push(['...', `[${names.length - maxMembers} more]`])
  return Object.fromEntries(copies)
}

/** Copies the type, message, stack and cause of an error. */
function copyOfError(
  error: Error,
  budget: Budget,
  within: readonly object[],
): Record<string, unknown> {
  const causes = within.filter((each) => each instanceof Error).length
  const own = copyOfMembers(error, budget, within, ['name', 'message', 'stack', 'cause'])
  return {
    type: textOf(String(attempt(() => error.constructor.name)), budget),
    message: textOf(String(attempt(() => error.message)), budget),
    stack: textOf(stackOf(error), budget),
    ...own,
    ...(error.cause === undefined
      ? {}
      : { cause: causes > maxCauses ? '[more causes]' : copy(error.cause, budget, within) }),
  }
}

/** The stack frames; the message is logged separately. */
function stackOf(error: Error): string {
  const stack = attempt(() => error.stack)
  if (typeof stack !== 'string') return ''
  const frames = stack
    .slice(-64 * 1024)
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
  return frames.slice(0, maxStackLines).join('\n')
}

function attempt(read: () => unknown): unknown {
  try {
    return read()
  } catch {
    return '[unreadable]'
  }
}
