import { createReadStream } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { AppError } from 'polgate-lib/errors/appError.ts'
import { RegoObject } from 'polgate-rego/values/object.ts'
import { parseJson } from 'polgate-rego/values/parseJson.ts'
import { RegoSet } from 'polgate-rego/values/set.ts'
import { isArray, isObject, type ObjectValue, type Value } from 'polgate-rego/values/value.ts'
import { type Decision, decide } from './decisions.ts'

export const SETS = ['opa', 'regorus', 'regocpp', 'negative', 'expr'] as const
export type SetName = (typeof SETS)[number]

/** A result row of a query: the values of its named variables. */
export type Row = ReadonlyMap<string, Value>

export type Expectation =
  /** Rows in any order, as JSON (sets as sorted arrays). */
  | { readonly kind: 'rows'; readonly rows: readonly Row[]; readonly sortBindings: boolean }
  /** The list of results of all inputs, with sets; empty means undefined. */
  | { readonly kind: 'values'; readonly values: readonly Value[]; readonly sortBindings: boolean }
  | { readonly kind: 'error'; readonly code?: string; readonly text?: string }
  | { readonly kind: 'expression'; readonly decision: Decision }

export type Case = {
  readonly set: SetName
  readonly id: string
  readonly note: string
  readonly category: string
  readonly modules: readonly string[]
  readonly query: string
  /** Evaluated in turn; `undefined` means without input. */
  readonly inputs: readonly (Value | undefined)[]
  /** A Rego term that is the input (it may be a set). */
  readonly inputTerm?: string
  readonly data?: Value
  readonly strict: boolean
  readonly since?: string
  /** `same`, `converted`, ... in the regorus set. */
  readonly status?: string
  /** `opa-0.47` or `docs` in the negative set. */
  readonly source?: string
  readonly expectation: Expectation
  readonly skip?: string
}

/** What ends the run with exit code 2: the cases cannot be read. */
export class CasesError extends AppError {}

/**
 * Reads a set of cases with exact numbers.
 *
 * @throws CasesError if the file is missing or a line is not a case
 */
export async function readCases(dir: string, set: SetName): Promise<readonly Case[]> {
  const file = join(dir, `${set}.jsonl`)
  try {
    await access(file)
  } catch (cause) {
    throw new CasesError(
      `${file} does not exist; pass the directory that contains ${SETS.join('.jsonl, ')}.jsonl`,
      {
        cause,
      },
    )
  }
  const cases: Case[] = []
  let row = 0
  for await (const line of createInterface({
    input: createReadStream(file),
    crlfDelay: Infinity,
  })) {
    row++
    if (line.trim() === '') continue
    try {
      cases.push(toCase(set, row, new Members(parseJson(line))))
    } catch (cause) {
      throw new CasesError(`${file}:${row}: ${(cause as Error).message}`, { cause })
    }
  }
  return cases
}

/** Typed access to the members of a case. */
class Members {
  private readonly object: ObjectValue

  constructor(value: Value) {
    if (!isObject(value)) throw new CasesError('a case must be a JSON object')
    this.object = value
  }

  value(name: string): Value | undefined {
    return this.object.get(name)
  }

  string(name: string): string | undefined {
    const value = this.object.get(name)
    return typeof value === 'string' ? value : undefined
  }

  required(name: string): string {
    const value = this.string(name)
    if (value === undefined) throw new CasesError(`member "${name}" must be a string`)
    return value
  }

  flag(name: string): boolean | undefined {
    const value = this.object.get(name)
    return typeof value === 'boolean' ? value : undefined
  }

  strings(name: string): readonly string[] {
    const value = this.object.get(name)
    if (value === undefined) return []
    if (!isArray(value) || !value.every((item) => typeof item === 'string')) {
      throw new CasesError(`member "${name}" must be a list of strings`)
    }
    return value as readonly string[]
  }
}

function toCase(set: SetName, row: number, members: Members): Case {
  switch (set) {
    case 'opa':
    case 'regocpp':
      return opaCase(set, members)
    case 'regorus':
      return regorusCase(members)
    case 'negative':
      return {
        ...common(set, members),
        id: members.string('id') ?? `negative#${row}`,
        query: members.required('query'),
        inputs: [undefined],
        strict: false,
        source: members.string('source') ?? '',
        expectation: { kind: 'error', code: members.required('want_error_code') },
      }
    case 'expr': {
      const expression = members.required('expr')
      return {
        ...common(set, members),
        id: members.string('id') ?? `expr#${row}`,
        query: expression,
        inputs: [undefined],
        strict: false,
        expectation: {
          kind: 'expression',
          decision: decide(
            expression,
            members.string('opa_0_47') ?? 'None',
            members.string('regorus_0_9') ?? 'None',
          ),
        },
      }
    }
  }
}

const common = (set: SetName, members: Members) => ({
  set,
  note: members.required('note'),
  category: members.required('category'),
  modules: members.strings('modules'),
  ...(members.value('data') === undefined ? {} : { data: members.value('data') as Value }),
})

/** Cases of these folders resolve names or open connections, which the engine never does. */
const NETWORK = /^(netlookupipaddr|invalidkeyerror)\/|^time\/test-time-0947/

function opaCase(set: SetName, members: Members): Case {
  const id = members.required('id')
  const code = members.string('want_error_code')
  const text = members.string('want_error')
  const since = members.string('since')
  const inputTerm = members.string('input_term')
  return {
    ...common(set, members),
    id,
    query: members.required('query'),
    inputs: [members.value('input')],
    ...(inputTerm === undefined ? {} : { inputTerm }),
    strict: members.flag('strict_error') ?? false,
    ...(since === undefined ? {} : { since }),
    expectation:
      code !== undefined || text !== undefined
        ? {
            kind: 'error',
            ...(code === undefined ? {} : { code }),
            ...(text === undefined ? {} : { text }),
          }
        : {
            kind: 'rows',
            rows: rows(members.value('want_result')),
            sortBindings: members.flag('sort_bindings') ?? false,
          },
    ...(NETWORK.test(id) ? { skip: 'network' } : {}),
  }
}

function rows(value: Value | undefined): Row[] {
  if (value === undefined || value === null) return []
  if (!isArray(value)) throw new CasesError('member "want_result" must be a list of rows')
  return value.map((row) => {
    if (!isObject(row)) throw new CasesError('a row of "want_result" must be an object')
    return new Map(row.entries() as [string, Value][])
  })
}

function regorusCase(members: Members): Case {
  const status = members.required('v1_status')
  const extension = members.string('extension')
  const text = members.string('want_error')
  const input = members.value('input')
  const many = input !== undefined ? manyOf(input) : undefined
  const want = members.value('want_result')
  return {
    ...common('regorus', members),
    id: members.required('id'),
    query: members.required('query'),
    inputs: many?.map(decode) ?? [input === undefined ? undefined : decode(input)],
    strict: members.flag('strict') ?? true,
    status,
    expectation:
      text !== undefined
        ? { kind: 'error', text }
        : {
            kind: 'values',
            values:
              want === undefined || want === '#undefined'
                ? []
                : (manyOf(want) ?? [want]).map(decode),
            sortBindings: members.flag('sort_bindings') ?? false,
          },
    ...(extension !== undefined
      ? { skip: `extension ${extension}` }
      : status === 'v0_only'
        ? { skip: 'v0 only' }
        : {}),
  }
}

function manyOf(value: Value): readonly Value[] | undefined {
  const many = isObject(value) ? value.get('many!') : undefined
  return many !== undefined && isArray(many) ? many : undefined
}

/** Decodes sets, and objects with keys that are not strings. */
function decode(value: Value): Value {
  if (isArray(value)) return value.map(decode)
  if (!isObject(value)) return value
  const set = value.get('set!')
  if (set !== undefined && isArray(set)) return RegoSet.from(set.map(decode))
  const object = value.get('object!')
  if (object !== undefined && isArray(object)) {
    return RegoObject.from(
      object.map((entry): [Value, Value] => {
        const { key, value } = isObject(entry)
          ? { key: entry.get('key'), value: entry.get('value') }
          : { key: undefined, value: undefined }
        if (key === undefined || value === undefined) {
          throw new CasesError('an entry of "object!" requires key and value')
        }
        return [decode(key), decode(value)]
      }),
    )
  }
  return RegoObject.from(value.entries().map(([k, v]): [Value, Value] => [k, decode(v)]))
}
