import { describe, expect, it } from 'vitest'
import { createEngine } from '../engine.ts'
import type { Tracer } from '../evaluate/tracer.ts'
import { Coverage, rowRanges } from './coverage.ts'
import { Explainer } from './explain.ts'
import { Profile } from './profile.ts'

const policy = `package p

default allow := false

allow if {
	input.role == "admin"
	not blocked
}

allow if {
	some grant in input.grants
	grant.role == input.role
	grant.level > 3
}

blocked if input.user in data.blocked

level := "high" if {
	input.value > 100
} else := "low" if {
	input.value > 10
}

names := [upper(x) |
	some x in input.names
	x != "secret"
]

checked if every x in input.names {
	x != ""
}
`

function evaluate(tracer: Tracer, rule: string, input: unknown) {
  const engine = createEngine({
    modules: [{ name: 'p.rego', source: policy }],
    tracer,
    strict: false,
  })
  const value = engine.evaluateRule(rule, { input, data: { blocked: ['eve'] } })
  return { engine, value }
}

describe('coverage', () => {
  it('counts evaluated expressions, and heads with a value', () => {
    const coverage = new Coverage()
    const { engine } = evaluate(coverage, 'p.allow', { role: 'admin', user: 'bob' })
    const report = coverage.report(engine.modules)
    // The second rule is skipped once the first holds; `blocked` did not hold.
    expect(report.files[0]?.covered).toEqual([5, 6, 7])
    expect(report.files[0]?.notCovered).toEqual([
      3, 10, 11, 12, 13, 16, 18, 19, 20, 21, 24, 25, 26, 29, 30,
    ])
    expect(report.percent).toBe(16.66)
  })

  it('includes defaults, else branches and nested bodies', () => {
    const coverage = new Coverage()
    const tracer = coverage
    const input = { value: 11, names: ['a', 'secret'] }
    for (const rule of ['p.allow', 'p.level', 'p.names', 'p.checked']) evaluate(tracer, rule, input)
    const { engine } = evaluate(tracer, 'p.blocked', { user: 'eve' })
    expect(coverage.report(engine.modules).files[0]?.notCovered).toEqual([5, 7, 10, 12, 13, 18])
    const blocked = coverage.report(engine.modules, (rule) => rule.head.ref.span.text === 'blocked')
    expect(blocked.percent).toBe(100)
  })

  it('writes rows as ranges', () => {
    expect(rowRanges([1, 2, 3, 5, 7, 8])).toBe('1-3, 5, 7-8')
    expect(rowRanges([])).toBe('')
  })
})

describe('profile', () => {
  it('counts evaluations and solutions, and measures each line', () => {
    let now = 0
    const profile = new Profile(() => now++)
    evaluate(profile, 'p.allow', {
      role: 'user',
      grants: [
        { role: 'user', level: 1 },
        { role: 'x', level: 9 },
        { role: 'user', level: 4 },
      ],
    })
    const lines = new Map(profile.lines().map((line) => [line.row, line]))
    expect(lines.get(11)).toMatchObject({
      evaluations: 1,
      passes: 3,
      text: 'some grant in input.grants',
    })
    expect(lines.get(12)).toMatchObject({ evaluations: 3, passes: 2 })
    expect(lines.get(13)).toMatchObject({ evaluations: 2, passes: 1, file: 'p.rego' })
    // every tick is counted for one line only, but for those before each of the two rules
    const total = profile.lines().reduce((sum, line) => sum + line.time, 0)
    expect(total).toBe(now - 2)
  })

  it('counts an expression inside not or with once', () => {
    const profile = new Profile(() => 0)
    evaluate(profile, 'p.allow', { role: 'admin', user: 'eve' })
    const line = profile.lines().find(({ row }) => row === 7)
    expect(line).toMatchObject({ evaluations: 1, passes: 0 })
  })
})

describe('explanation', () => {
  const explain = (rule: string, input: unknown) => {
    const explainer = new Explainer()
    evaluate(explainer, rule, input)
    return explainer.explain(`data.${rule}`)
  }

  it('shows failed expressions with their values, for every definition', () => {
    const [allow] = explain('p.allow', { role: 'user', grants: [{ role: 'user', level: 2 }] })
    expect(allow).toMatchObject({ name: 'data.p.allow', isDefault: true })
    expect(allow?.definitions).toMatchObject([
      {
        text: 'allow if {',
        held: false,
        failures: [
          { text: 'input.role == "admin"', values: [{ text: 'input.role', value: 'user' }] },
        ],
      },
      {
        location: { file: 'p.rego', row: 10 },
        held: false,
        failures: [
          { text: 'grant.level > 3', count: 1, values: [{ text: 'grant.level', value: 2 }] },
        ],
      },
    ])
  })

  it('continues with the rules that an expression depends on', () => {
    const [allow] = explain('p.allow', { role: 'admin', user: 'eve' })
    const [failure] = allow?.definitions[0]?.failures ?? []
    expect(failure).toMatchObject({
      text: 'not blocked',
      values: [{ value: true }],
      because: [{ name: 'data.p.blocked', definitions: [{ held: true }] }],
    })
  })

  it('reports definitions that held', () => {
    const [level] = explain('p.level', { value: 11 })
    expect(level?.definitions.map(({ held }) => held)).toEqual([false, true])
    const [names] = explain('p.names', { names: ['secret'] })
    expect(names?.definitions).toMatchObject([{ held: true, failures: [] }])
  })

  it('shows the operand that made a negation undefined', () => {
    const tracer = new Explainer()
    const source = 'package p\n\nok if not startswith(input.image, "x")'
    const modules = [{ name: 'p.rego', source }]
    createEngine({ modules, tracer, dialect: 'opa-1.2' }).evaluateRule('p.ok', { input: {} })
    const [ok] = tracer.explain('data.p.ok')
    const values = ok?.definitions[0]?.failures[0]?.values
    expect(values).toEqual([{ text: 'input.image', value: undefined }])
  })
})
