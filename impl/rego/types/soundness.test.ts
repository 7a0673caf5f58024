import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { TypeCheck } from '../compile/program.ts'
import { createEngine } from '../engine.ts'
import { RegoError } from '../errors.ts'

const anyTypes: TypeCheck = { program: () => {}, query: () => {} }

const scalar = fc.constantFrom('null', 'true', '1', '2', '"a"', '"b"', '"ab"')

/** Terms without closures, in which a fault makes an empty collection, over the variables x and y, the rules q and r, and an input. */
const { term } = fc.letrec<{ term: string; list: string }>((tie) => ({
  list: fc.array(tie('term'), { maxLength: 3 }).map((items) => items.join(', ')),
  term: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 4, arbitrary: fc.oneof(scalar, fc.constantFrom('x', 'y', 'q', 'r', 'input.i')) },
    { weight: 1, arbitrary: tie('list').map((items) => `[${items}]`) },
    { weight: 1, arbitrary: tie('list').map((items) => (items === '' ? 'set()' : `{${items}}`)) },
    {
      weight: 1,
      arbitrary: fc.tuple(scalar, tie('term')).map(([key, value]) => `{${key}: ${value}}`),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom('x', 'y', 'q', 'r', 'input'), scalar)
        .map(([head, key]) => `${head}[${key}]`),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom('upper', 'abs', 'count', 'sum', 'f', 'is_string'), tie('term'))
        .map(([name, arg]) => `${name}(${arg})`),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(tie('term'), fc.constantFrom('+', '|', '<', '=='), tie('term'))
        .map(([a, operator, b]) => `(${a} ${operator} ${b})`),
    },
  ),
}))

const policy = fc
  .record({
    x: term,
    y: term,
    q: term,
    r: term,
    f: fc.constantFrom('upper(v)', 'v + 1', '[v]'),
    left: term,
    right: term,
    operator: fc.constantFrom('==', '=', '!='),
  })
  .map(({ x, y, q, r, f, left, right, operator }) => {
    // rules may use the input only, so that nothing is recursive or unsafe
    const plain = (text: string): string => text.replace(/\b[xyqr]\b/g, 'input.i')
    return `package test
f(v) := ${f}
q := ${plain(q)}
r := ${plain(r)} if input.on
r := ${plain(q)} if not input.on
p if {
	x := ${plain(x)}
	y := ${y.replace(/\b[xy]\b/g, 'q')}
	${left} ${operator} ${right}
}`
  })

const inputs = [{ i: 1 }, { i: 'a', on: true }, { i: [1, 'a'] }, { i: { a: 1 }, on: true }, {}]

it('rejects only expressions that no input makes true', () => {
  let refused = 0
  fc.assert(
    fc.property(policy, (source) => {
      const options = { modules: [{ name: 'p.rego', source }], strict: false }
      let error: RegoError
      try {
        createEngine(options)
        return
      } catch (caught) {
        if (!(caught instanceof RegoError)) throw caught
        error = caught
      }
      expect(error.code, source).not.toBe('eval_internal_error')
      // faults of other kinds are not the type checker's
      if (error.code !== 'rego_type_error') return
      refused++
      const engine = createEngine({ ...options, types: anyTypes })
      // the fault is in the rule at its row: that rule has no value, whatever the input
      const row = error.location?.row ?? 0
      const rule = row === 2 ? undefined : row === 3 ? 'q' : row <= 5 ? undefined : 'p'
      if (rule === undefined) return
      for (const input of inputs) {
        const value = engine.evaluateRule(`test.${rule}`, { input })
        expect(value, `${error.text}\n${source}`).toBeUndefined()
      }
    }),
    { numRuns: 400 },
  )
  expect(refused).toBeGreaterThan(20)
})
