import { readFileSync } from 'node:fs'
import { type Static, Type } from '@sinclair/typebox'
import { Ajv } from 'ajv'
import { parse, stringify } from 'yaml'
import { CannotRun } from '../core/conformanceError.ts'
import type { BaselineEntry } from '../core/events.ts'
import { nearest } from '../core/select.ts'

/** A known failure with an owner and an expiry date. */
const Entry = Type.Object(
  {
    check: Type.String({ minLength: 1 }),
    reason: Type.String({ minLength: 10 }),
    owner: Type.String({ minLength: 1 }),
    /** The last day on which it applies. */
    expires: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
    issue: Type.Optional(Type.String({ pattern: '^https?://' })),
  },
  { additionalProperties: false },
)

export const Baseline = Type.Object(
  { version: Type.Literal(1), expected: Type.Array(Entry) },
  { additionalProperties: false },
)

/** Compiled where a baseline is read: most runs have none. */
const validator = () =>
  new Ajv({ allErrors: false, strict: false, ownProperties: true }).compile(Baseline)

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new CannotRun(
      `cannot read the baseline ${path}`,
      'polgate baseline update writes one from a run.',
      cause,
    )
  }
}

/**
 * Reads a baseline (YAML). Throws `CannotRun` if it is invalid, names a check twice, or names an
 * unknown check: a misspelt entry would silently have no effect.
 */
export function readBaseline(path: string, checkIds: readonly string[]): readonly BaselineEntry[] {
  let value: unknown
  try {
    value = parse(readText(path), { maxAliasCount: 0 })
  } catch (cause) {
    if (cause instanceof CannotRun) throw cause
    throw new CannotRun(`${path} is not valid YAML: ${(cause as Error).message}`, undefined, cause)
  }
  const validate = validator()
  if (!validate(value)) {
    const error = validate.errors?.[0]
    const extra = error?.params as { additionalProperty?: string } | undefined
    const name = extra?.additionalProperty === undefined ? '' : ` '${extra.additionalProperty}'`
    throw new CannotRun(
      `${path} is not a baseline: ${error?.instancePath || 'the document'} ${error?.message}${name}`,
      'An entry has check, reason, owner, expires (a date such as 2027-01-31), and optionally issue.',
    )
  }
  const { expected } = value as Static<typeof Baseline>
  const seen = new Set<string>()
  for (const { check, expires } of expected) {
    if (!checkIds.includes(check))
      throw new CannotRun(
        `${path} expects a failure of '${check}', which is not a check`,
        `Did you mean '${nearest(check, checkIds)}'?`,
      )
    if (seen.has(check)) throw new CannotRun(`${path} names '${check}' twice`)
    if (Number.isNaN(Date.parse(expires)) || !new Date(expires).toISOString().startsWith(expires))
      throw new CannotRun(`${path}: '${expires}' is not a date`)
    seen.add(check)
  }
  return expected
}

const header = `# Failures that are known, each with an owner and an expiry date. An entry whose check
# passes, or that has expired, fails the run.
`

export const baselineText = (expected: readonly BaselineEntry[]): string =>
  `${header}${stringify({ version: 1, expected }, { lineWidth: 100 })}`
