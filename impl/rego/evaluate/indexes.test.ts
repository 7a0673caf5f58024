import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createEngine } from '../engine.ts'
import { answerOf as p } from '../testing/answers.ts'
import { stringify } from '../values/json.ts'

describe('rules selected by a value', () => {
  const rules = ['a', 'b', 'c', 'd', 'e']
    .map((name, i) => `p contains ${i} if { input.k == "${name}" }`)
    .join('\n')

  test('only matching rules, and those without a comparison, count', () => {
    const source = `${rules}\np contains "always"\np contains 9 if { "c" == input.k }\np contains 8 if { input.k in {"a", "c"} }`
    expect(p(source, { input: { k: 'c' } })).toBe('[2,8,9,"always"]')
    expect(p(source, { input: { k: 'x' } })).toBe('["always"]')
    expect(p(source, { input: {} })).toBe('["always"]')
    expect(p(source, { input: { k: ['c'] } })).toBe('["always"]')
    expect(p(source)).toBe('["always"]')
  })

  test('by arguments of functions', () => {
    const source = `${['a', 'b', 'c', 'd', 'e'].map((n, i) => `f("${n}", x) := x + ${i}`).join('\n')}\np := [f("e", 1), f("a", 1), count([1 | f("z", 1)])]`
    expect(p(source)).toBe('[5,1,0]')
  })

  test('through a variable for a part of the input', () => {
    const source = ['a', 'b', 'c', 'd', 'e']
      .map((n, i) => `p := ${i} if { r := input.r; r.k == "${n}" }`)
      .join('\n')
    expect(p(source, { input: { r: { k: 'd' } } })).toBe('3')
  })

  test('not for rules with a negation, a with or an else', () => {
    const source = ['a', 'b', 'c', 'd']
      .map(
        (n, i) => `p contains ${i} if { not input.k == "${n}" }
p contains ${i + 10} if { input.k == "${n}" with input.k as "${n}" }
q := ${i} if { input.k == "${n}" } else := "else" if { input.none }`,
      )
      .join('\n')
    expect(p(source, { input: { k: 'b' } })).toBe('[0,2,3,10,11,12,13]')
    expect(p(source, { input: { k: 'b' } }, 'data.test.q')).toBe('1')
  })

  test('types are distinguished as by equality', () => {
    const source = '"1" "2" 1 2 true null'
      .split(' ')
      .map((text, i) => `p contains ${i} if { input == ${text} }`)
      .join('\n')
    expect(p(source, { input: 1 })).toBe('[2]')
    expect(p(source, { input: '1' })).toBe('[0]')
    expect(p(source, { inputJson: '1.0' })).toBe('[2]')
    expect(p(source, { input: null })).toBe('[5]')
  })
})

describe('collections that are searched', () => {
  const source = `package test
one := [[i, b.n] | some i, b in data.xs; b.k == input.k]
two := [b.n | some b in data.xs; input.k == b.k; b.n > 1]
three := [data.xs[i].n | data.xs[i].k == input.k]
four := [b.n | some b in data.xs; b.k = input.k]
five := [b.n | some b in data.xs; b.deep.er == input.k]
six := [x | some x in data.plain; x == input.k]`
  const key = fc.oneof(fc.constantFrom('a', 'b', 1, null), fc.constant([1]), fc.constant({ x: 1 }))
  const members = fc.array(
    fc.record(
      { k: key, n: fc.integer({ min: 0, max: 3 }), deep: fc.record({ er: key }) },
      { requiredKeys: ['n'] },
    ),
    { maxLength: 40 },
  )

  test('give the same results by scan and by index', () => {
    fc.assert(
      fc.property(members, fc.array(key, { maxLength: 40 }), key, (xs, plain, k) => {
        const same = (other: unknown): boolean => JSON.stringify(other) === JSON.stringify(k)
        const hits = xs.filter((x) => same(x.k))
        const expected = JSON.stringify({
          five: xs.filter((x) => same(x.deep?.er)).map((x) => x.n),
          four: hits.map((x) => x.n),
          one: xs.flatMap((x, i) => (same(x.k) ? [[i, x.n]] : [])),
          six: plain.filter(same),
          three: hits.map((x) => x.n),
          two: hits.filter((x) => x.n > 1).map((x) => x.n),
        })
        const engine = createEngine({ modules: [{ name: 'a.rego', source }], data: { xs, plain } })
        const query = engine.prepare('data.test')
        for (let run = 0; run < 3; run++) {
          const [row] = query.evaluate({ input: { k } })
          const value = row?.expressions[0]?.value
          expect(value === undefined ? undefined : stringify(value)).toBe(expected)
        }
      }),
      { numRuns: 60 },
    )
  })

  test('objects and sets too', () => {
    const objects =
      'p := [[k, v.n] | some k, v in data.o; v.g == 1]\nq := [x | some x in {y | some y in numbers.range(1, 40)}; x == 7]'
    const o = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [`k${i}`, { g: i % 20, n: i }]),
    )
    const engine = createEngine({
      modules: [{ name: 'a', source: `package test\n${objects}` }],
      data: { o },
    })
    for (let run = 0; run < 3; run++) {
      expect(stringify(engine.evaluateRule('test.p') ?? null)).toBe('[["k1",1],["k21",21]]')
      expect(stringify(engine.evaluateRule('test.q') ?? null)).toBe('[7]')
    }
  })
})
