import { readFileSync } from 'node:fs'
import { type Static, Type } from '@sinclair/typebox'
import { Ajv } from 'ajv'
import { parse, stringify } from 'yaml'
import { CannotRun } from '../core/conformanceError.ts'
import type { BaselineEntry } from '../core/events.ts'
import { nearest } from '../core/select.ts'

/** A failure that somebody knows of, has taken on, and will have mended by a day. */
const Entry = Type.Object(
  {
    check: Type.String({ minLength: 1 }),
    reason: Type.String({ minLength: 10 }),
    owner: Type.String({ minLength: 1 }),
    /** The last day on which it holds. */
    expires: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
    issue: Type.Optional(Type.String({ pattern: '^https?://' })),
  },
  { additionalProperties: false },
)

export const Baseline = Type.Object(
  { version: Type.Literal(1), expected: Type.Array(Entry) },
  { additionalProperties: false },
)

const validate = new Ajv({ allErrors: false, strict: false, ownProperties: true }).compile(Baseline)

const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new CannotRun(
      `cannot read the baseline ${path}`,
      'svc baseline update writes one from a run.',
      cause,
    )
  }
}

/**
 * Reads a baseline (YAML). Throws `CannotRun` where it is none, names a check twice, or one that the
 * suite does not have: a misspelt entry would hide nothing, and nobody would notice.
 */
export const readBaseline = (
  path: string,
  checkIds: readonly string[],
): readonly BaselineEntry[] => {
  let value: unknown
  try {
    value = parse(readText(path), { maxAliasCount: 0 })
  } catch (cause) {
    if (cause instanceof CannotRun) throw cause
    throw new CannotRun(`${path} is no YAML: ${(cause as Error).message}`, undefined, cause)
  }
  if (!validate(value)) {
    const error = validate.errors?.[0]
    const extra = error?.params as { additionalProperty?: string } | undefined
    const name = extra?.additionalProperty === undefined ? '' : ` '${extra.additionalProperty}'`
    throw new CannotRun(
      `${path} is no baseline: ${error?.instancePath || 'the top'} ${error?.message}${name}`,
      'An entry has check, reason, owner, expires (a day such as 2027-01-31), and may have issue.',
    )
  }
  const { expected } = value as Static<typeof Baseline>
  const seen = new Set<string>()
  for (const { check, expires } of expected) {
    if (!checkIds.includes(check))
      throw new CannotRun(
        `${path} expects a failure of '${check}', which is no check`,
        `Did you mean '${nearest(check, checkIds)}'?`,
      )
    if (seen.has(check)) throw new CannotRun(`${path} names '${check}' twice`)
    if (Number.isNaN(Date.parse(expires)) || !new Date(expires).toISOString().startsWith(expires))
      throw new CannotRun(`${path}: '${expires}' is no day`)
    seen.add(check)
  }
  return expected
}

const header = `# Failures that are known, each with an owner and a day by which it is mended. An entry whose check
# passes, or whose day is over, fails the run.
`

export const baselineText = (expected: readonly BaselineEntry[]): string =>
  `${header}${stringify({ version: 1, expected }, { lineWidth: 100 })}`
