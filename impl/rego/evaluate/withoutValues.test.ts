import { describe, expect, it } from 'vitest'
import { profileBuiltins } from '../builtins/capabilities.ts'
import { privateDataOf } from '../builtins/private/privateData.ts'
import { createEngine, type EvaluateOptions } from '../engine.ts'
import { RegoError } from '../errors.ts'
import { parseJson } from '../values/parseJson.ts'

const marker = 'secret74219'
/** Operands of every kind with the marker in them, most of them wrong for most built-ins. */
const operands = JSON.stringify([
  marker,
  `[(${marker}`,
  `{"${marker}": `,
  { [marker]: marker, not: { [marker]: [] } },
  74219,
])
const count = 5

const builtins = profileBuiltins('service')
const callable = [...builtins.values()].filter(
  ({ name, deprecated, relation }) =>
    deprecated !== true && relation !== true && !['eq', 'assign'].includes(name),
)

/** A rule for each built-in and operand, which all its arguments have. */
const rules = callable.flatMap(({ name, args }, i) =>
  Array.from({ length: count }, (_, n) => ({
    rule: `p${i}_${n}`,
    text: `p${i}_${n} := ${name}(${args.map(() => `data.privacy.v[${n}]`).join(', ')})`,
  })),
)
const conflicts = [
  'c1 := data.privacy.v[0]\n\nc1 := data.privacy.v[1]',
  'c2 := {k: v | some v in data.privacy.v; k := 1}',
  'c3 := f(1)\n\nf(_) := data.privacy.v[0]\n\nf(_) := data.privacy.v[1]',
  'c4[data.privacy.v[0]] := x if some x in data.privacy.v',
  'c5 := sprintf(data.privacy.v[0], data.privacy.v[1])',
  'c6 := numbers.range(1, 100000000)',
]
const modules = [
  {
    name: 'policy.rego',
    source: `package policy\n\n${[...rules.map(({ text }) => text), ...conflicts].join('\n\n')}\n`,
  },
]
const engine = createEngine({ modules, builtins, limits: { steps: 50_000 } })

const privateData = privateDataOf(`{"identity":null,"confidential":{},"privacy":{"v":${operands}}}`)
const documents = { data: parseJson(`{"privacy":{"v":${operands}}}`), inputJson: '{}' }

function errorOf(rule: string, options: EvaluateOptions): RegoError | undefined {
  try {
    engine.evaluateRule(`policy.${rule}`, { ...documents, ...options })
    return undefined
  } catch (error) {
    if (error instanceof RegoError) return error
    throw error
  }
}

const all = [...rules.map(({ rule }) => rule), ...conflicts.map((_, i) => `c${i + 1}`)]

describe('errors of an evaluation with private data', () => {
  it('have code and place, and no values', () => {
    const texts = new Set<string>()
    let [failures, shown] = [0, 0]
    for (const rule of all) {
      const open = errorOf(rule, {})
      const hidden = errorOf(rule, { privateData })
      expect([hidden?.code, hidden?.location], rule).toEqual([open?.code, open?.location])
      if (hidden === undefined) continue
      failures += 1
      if (/secret74219|74219/i.test(`${open?.text}`)) shown += 1
      expect(`${hidden.text} ${hidden.stack}`).not.toMatch(/74219/)
      expect(hidden.cause).toBeUndefined()
      texts.add(hidden.message)
    }
    // Without private data, some of these errors have it in their text.
    expect(failures).toBeGreaterThan(400)
    expect(shown).toBeGreaterThan(10)
    // A text for each code, and constant ones of the extensions: however many operands there are.
    const own = [...texts].filter((text) => !text.startsWith('service.'))
    expect(own.length).toBeLessThanOrEqual(5)
    for (const text of own) expect(text).toMatch(/^[a-z -]+ \(details are hidden: private data\)$/)
  })

  it('of documents that conflict with rules have none either', () => {
    const conflicting = createEngine({
      modules: [{ name: 'policy.rego', source: `package privacy\n\n${marker} := 1` }],
    })
    const data = parseJson(`{"privacy":{"${marker}":1}}`)
    expect(() => conflicting.begin({ data })).toThrow(marker)
    expect(() => conflicting.begin({ data, privateData })).toThrow(
      /^the policy does not compile with its documents \(details are hidden: private data\)$/,
    )
  })

  it('say which source of confidential data cannot be read', () => {
    const rule = `p${callable.findIndex(({ name }) => name.endsWith('.blacklist.count'))}_0`
    expect(errorOf(rule, { privateData })?.text).toMatch(
      /^policy\.rego:\d+: eval_builtin_error: service\.confidential\.blacklist\.count: the policy client has no source of this data type$/,
    )
  })
})

it('print goes nowhere, and no pattern is kept for later evaluations', () => {
  const lines: string[] = []
  const printing = createEngine({
    modules: [
      {
        name: 'policy.rego',
        source:
          'package policy\n\np if {\n\tprint(data.privacy.x)\n\tregex.match(data.privacy.x, "a")\n}',
      },
    ],
    builtins,
    print: (line) => lines.push(line),
  })
  const data = parseJson('{"privacy":{"x":"a+"}}')
  const kept = (printing as unknown as { readonly cache: ReadonlyMap<string, unknown> }).cache
  expect(printing.evaluateRule('policy.p', { data, privateData })).toBe(true)
  expect([lines, kept.size]).toEqual([[], 0])
  expect(printing.evaluateRule('policy.p', { data })).toBe(true)
  expect([lines, kept.size]).toEqual([['a+'], 1])
})

it('every extension for private data can be replaced by with', () => {
  const extensions = callable.filter(({ reads }) => reads !== undefined)
  expect(extensions.length).toBe(10)
  const lines = extensions.flatMap(({ name, args }, i) => {
    const call = `${name}(${args.map(({ kind }) => (kind === 'number' ? '1' : kind === 'string' ? '"a"' : '["a"]')).join(', ')})`
    const names = args.map((_, n) => `a${n}`).join(', ')
    return [
      `v${i} := x if x := ${call} with ${name} as 7`,
      args.length === 0
        ? `w${i} := 8`
        : `w${i} := x if x := ${call} with ${name} as f${i}\n\nf${i}(${names}) := 8`,
    ]
  })
  const mocked = createEngine({
    modules: [{ name: 'policy.rego', source: `package policy\n\n${lines.join('\n\n')}` }],
    builtins,
  })
  const values = extensions.map((_, i) => [
    mocked.evaluateRule(`policy.v${i}`),
    mocked.evaluateRule(`policy.w${i}`),
  ])
  expect(values).toEqual(extensions.map(() => [7, 8]))
})
