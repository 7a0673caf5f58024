import { TestingError } from './testingError.ts'

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

export type StackOptions = {
  /** Prefix of the wire names: `acme` for `acme_createTask`. Default: the neutral brand, `svc`. */
  readonly brand?: string | undefined
  /** Number of operators, 1 to 4, with stakes of 40, 30, 20 and 10. Default 4. */
  readonly operators?: number | undefined
  /** Default 31337. */
  readonly chainId?: number | undefined
  /**
   * `host:port` that oracles may reach without a mock, whatever their address. Other hosts are
   * refused.
   */
  readonly allowedOracleHosts?: readonly string[] | undefined
  /** Receives every line that the stack logs: JSON of the service, and text of its start. */
  readonly log?: ((line: string) => void) | undefined
  /** Of the service. Default `silent`, with `log` `info`. */
  readonly logLevel?: LogLevel | undefined
  /** Milliseconds, default 120,000: the first start on a machine builds oracles. */
  readonly startTimeout?: number | undefined
}

/** Options with their defaults, as the process of the stack receives them. */
export type StackSettings = {
  readonly brand: string | undefined
  readonly operators: number
  readonly chainId: number
  readonly allowedOracleHosts: readonly string[]
  readonly logLevel: LogLevel
  readonly progress: (step: string) => void
  readonly warn: (line: string) => void
}

const levels: readonly LogLevel[] = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

type Rule = { readonly is: (value: unknown) => boolean; readonly must: string }

const wholeNumber = (least: number, most: number): Rule => ({
  is: (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
  must: `be a whole number from ${least} to ${most}`,
})

const rules: Readonly<Record<keyof StackOptions, Rule>> = {
  brand: {
    is: (value) => typeof value === 'string' && /^[a-z][a-z0-9]{0,30}$/.test(value),
    must: 'be 1 to 31 lower-case letters and digits, a letter first',
  },
  operators: wholeNumber(1, 4),
  chainId: wholeNumber(1, 4_294_967_295),
  allowedOracleHosts: {
    is: (value) =>
      Array.isArray(value) && value.every((host) => /^[^\s/:@]+:\d{1,5}$/.test(String(host))),
    must: 'be a list of host:port, such as ["127.0.0.1:8080"]',
  },
  log: { is: (value) => typeof value === 'function', must: 'be a function that takes a line' },
  logLevel: {
    is: (value) => levels.includes(value as LogLevel),
    must: `be one of ${levels.join(', ')}`,
  },
  startTimeout: wholeNumber(1, 3_600_000),
}

/**
 * Checks the options of a stack.
 *
 * @throws TestingError `option` that names the option
 */
export function checkedOptions(options: StackOptions): StackOptions {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new TestingError('The options of a stack must be an object', {
      code: 'option',
      hint: `Known options: ${Object.keys(rules).join(', ')}.`,
    })
  for (const [name, value] of Object.entries(options)) {
    const rule = (rules as Readonly<Record<string, Rule>>)[name]
    if (rule === undefined || !Object.hasOwn(rules, name)) throw unknownOption(name)
    if (value !== undefined && !rule.is(value))
      throw new TestingError(`The option ${name} of a stack must ${rule.must}`, {
        code: 'option',
        hint: `It is ${shown(value)}.`,
      })
  }
  return options
}

function unknownOption(name: string): TestingError {
  const known = Object.keys(rules)
  const near = known.find((each) => likely(each, name))
  return new TestingError(`Unknown option ${shown(name)} of a stack`, {
    code: 'option',
    hint: near === undefined ? `Known options: ${known.join(', ')}.` : `Did you mean ${near}?`,
  })
}

/** Whether one name is probably a misspelling of the other. */
function likely(known: string, given: string): boolean {
  const [a, b] = [known.toLowerCase(), given.toLowerCase()]
  return a === b || a.startsWith(b) || b.startsWith(a) || distance(a, b) <= 2
}

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= Math.min(a.length, 100); i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min(
        next[j - 1]! + 1,
        row[j]! + 1,
        row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
      )
    row = next
  }
  return row.at(-1)!
}

function shown(value: unknown): string {
  const text = typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? String(value))
  return text.length > 80 ? `${text.slice(0, 80)}...` : text
}
