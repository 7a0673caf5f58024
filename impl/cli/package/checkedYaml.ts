import type { Static, TSchema } from '@sinclair/typebox'
import { Ajv, type ErrorObject } from 'ajv'
import { nearest } from 'polgate-rego/report/nearest.ts'
import { isMap, isScalar, LineCounter, type Node, parseDocument } from 'yaml'
import { CommandError } from '../commandDefinition.ts'
import { readText } from '../policy/inputFiles.ts'

/** Larger files of this kind are mistakes. */
const maxYamlBytes = 1024 * 1024

export type CheckedYaml<Value> = {
  readonly value: Value
  /** `file:line:column` of a member by its path, or of the nearest one above it. */
  readonly placeOf: (...path: readonly (string | number)[]) => string
}

/** A reader of YAML (or JSON) files with one schema. */
export type YamlReader<Value> = (path: string) => Promise<CheckedYaml<Value>>

/**
 * @param what the file is, for errors: "a policy package"
 * @returns a reader that rejects with CommandError, with line and column, for files that do not match
 */
export function yamlReader<Schema extends TSchema>(
  schema: Schema,
  what: string,
): YamlReader<Static<Schema>> {
  const validate = new Ajv({ strict: false, allErrors: false, verbose: true }).compile(schema)
  return async (path) => {
    const read = parsed(path, await readText(path, maxYamlBytes))
    if (validate(read.value)) return read as CheckedYaml<Static<Schema>>
    const error = chosenError(validate.errors ?? [])
    if (error === undefined)
      throw new CommandError(`${path} is not ${what}`, {
        hint: 'PACKAGE.md of polgate describes the files of a package.',
      })
    const { at, message, hint } = problemOf(error)
    throw new CommandError(`${read.placeOf(...at)} ${message}`, {
      hint: hint ?? `The file is not ${what}.`,
    })
  }
}

/** Integers as `parseExact` has them: a bigint where a number would be another one. */
function exactNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (Array.isArray(value)) return value.map(exactNumbers)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, exactNumbers(member)]),
  )
}

function parsed(path: string, text: string): CheckedYaml<unknown> {
  const lines = new LineCounter()
  const at = (offset: number | undefined) => {
    const { line, col } = lines.linePos(offset ?? 0)
    return `${path}:${line}:${col}`
  }
  try {
    const document = parseDocument(text, {
      lineCounter: lines,
      intAsBigInt: true,
      // An unquoted address or quantity is text, not a number.
      customTags: (tags) => tags.filter((tag) => typeof tag === 'string' || tag.format !== 'HEX'),
    })
    const [error] = document.errors
    if (error !== undefined) {
      const [first = ''] = error.message.split('\n')
      throw new CommandError(
        `${at(error.pos[0])} is not valid YAML: ${first.replace(/ at line \d+.*$/, '')}`,
        { hint: 'JSON is accepted too.' },
      )
    }
    return {
      value: exactNumbers(document.toJS({ maxAliasCount: 100 })),
      placeOf(...parts) {
        for (let depth = parts.length; depth > 0; depth -= 1) {
          const above = document.getIn(parts.slice(0, depth - 1), true) ?? document.contents
          const pair = isMap(above)
            ? above.items.find(
                ({ key }) => isScalar(key) && String(key.value) === String(parts[depth - 1]),
              )
            : undefined
          const node = document.getIn(parts.slice(0, depth), true) as Node | undefined
          const range = (pair?.key as Node | undefined)?.range ?? node?.range
          if (range) return at(range[0])
        }
        return at(0)
      },
    }
  } catch (cause) {
    if (cause instanceof CommandError) throw cause
    // Nesting that overflows the parser's stack, or aliases that expand without end.
    throw new CommandError(`${path} cannot be read as YAML`, {
      hint: 'It nests too deeply, or its aliases expand too far.',
      cause,
    })
  }
}

type Problem = {
  readonly at: readonly (string | number)[]
  readonly message: string
  readonly hint?: string
}

/**
 * Of a member with several forms, every form has an error: the one furthest inside is of the form that was
 * meant. If the value is of no form's type, it is that of the member.
 */
function chosenError(errors: readonly ErrorObject[]): ErrorObject | undefined {
  const union = errors.findLast(({ keyword }) => keyword === 'anyOf')
  if (union === undefined) return errors[0]
  const depth = (error: ErrorObject) => error.instancePath.split('/').length
  const inside = errors.filter(
    (each) =>
      each.keyword !== 'anyOf' &&
      (depth(each) > depth(union) || !['type', 'const'].includes(each.keyword)),
  )
  const [deepest] = inside.sort((one, other) => depth(other) - depth(one))
  if (deepest !== undefined) return deepest
  const words = errors.filter(({ keyword }) => keyword === 'const')
  const allowedValues = words.map(({ params }) => params.allowedValue)
  return words.length === 0 ? union : { ...union, keyword: 'enum', params: { allowedValues } }
}

function problemOf(error: ErrorObject): Problem {
  const at = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part))
  const name = at.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('')
  const member = name === '' ? 'the file' : name.replace(/^\./, '')
  const { keyword, params, parentSchema, message = 'is not valid' } = error
  if (keyword === 'additionalProperties') {
    const unknown = String(params.additionalProperty)
    const names = Object.keys((parentSchema as { properties?: object })?.properties ?? {})
    const meant = nearest(unknown, names)
    return {
      at: [...at, unknown],
      message: `${member === 'the file' ? '' : `${member}: `}unknown member ${unknown.slice(0, 80)}`,
      hint: meant === undefined ? `Members are ${names.join(', ')}.` : `Did you mean ${meant}?`,
    }
  }
  if (keyword === 'enum' || keyword === 'const') {
    const allowed = params.allowedValues ?? [params.allowedValue]
    return { at, message: `${member} must be one of ${allowed.join(', ')}` }
  }
  const description = (parentSchema as { description?: string } | undefined)?.description
  return {
    at,
    message: `${member} ${keyword === 'anyOf' ? 'has none of its forms' : message}`,
    ...(description === undefined ? {} : { hint: `${description}.` }),
  }
}
