import { describe, expect, test } from 'vitest'
import type { Builtin } from './builtins/builtin.ts'
import { builtins } from './builtins/registry.ts'
import { ANY, STRING } from './builtins/types.ts'
import { createEngine } from './engine.ts'
import { BuiltinError, RegoError } from './errors.ts'
import { stringify } from './values/json.ts'

const engine = (source: string, options: object = {}) =>
  createEngine({ builtins, ...options, modules: [{ name: 'policy.rego', source }] })

const json = (value: Parameters<typeof stringify>[0] | undefined): string =>
  value === undefined ? 'undefined' : stringify(value)

describe('prepared queries', () => {
  test('can be used repeatedly, with different documents', () => {
    const query = engine('package a\nallow if input.x == data.y', { data: { y: 1 } }).prepare(
      'data.a.allow',
    )
    expect(query.evaluate({ input: { x: 1 } })).toHaveLength(1)
    expect(query.evaluate({ input: { x: 2 } })).toHaveLength(0)
    expect(query.evaluate({ input: { x: 2 }, data: { y: 2 } })).toHaveLength(1)
    expect(query.evaluate({})).toHaveLength(0)
    expect(query.evaluate({ input: { x: 1 } })).toHaveLength(1)
  })

  test('return text and location of each expression', () => {
    const [row] = engine('package a\nx := 1').prepare('data.a.x; y := 2').evaluate()
    expect(row?.expressions).toEqual([
      { value: 1, text: 'data.a.x', location: { file: 'query', row: 1, col: 1 } },
      { value: true, text: 'y := 2', location: { file: 'query', row: 1, col: 11 } },
    ])
    expect(row?.bindings).toEqual(new Map([['y', 2]]))
  })

  test('report the location of errors', () => {
    expect(() => engine('package a\nx := 1').prepare('data.a.x +')).toThrow(RegoError)
    expect(() => engine('package a\nx := 1').prepare('y')).toThrow('var y is unsafe')
  })
})

describe('documents', () => {
  const big = engine('package a\nx := input.n + 1\ny := data.n * 2')

  test('JSON text preserves integers of any size', () => {
    expect(big.evaluateRule('a.x', { inputJson: '{"n": 9007199254740993}' })).toBe(
      9007199254740994n,
    )
    expect(big.evaluateRule('a.y', { dataJson: '{"n": 100000000000000000000}' })).toBe(
      200000000000000000000n,
    )
  })

  test('invalid JSON is a Rego error', () => {
    expect(() => big.evaluateRule('a.x', { inputJson: '{' })).toThrow(RegoError)
  })

  test('data of the evaluation is merged over that of the engine', () => {
    const merged = engine('package a\nx := data.d', { data: { d: { a: 1, b: { c: 2 } } } })
    expect(json(merged.evaluateRule('a.x', { data: { d: { b: { e: 3 }, a: 9 } } }))).toBe(
      '{"a":9,"b":{"c":2,"e":3}}',
    )
    expect(json(merged.evaluateRule('a.x'))).toBe('{"a":1,"b":{"c":2}}')
  })
})

describe('entrypoints', () => {
  const two = engine('package a.b\nallow := true if input\ndeny contains 1\nf(x) := x')

  test('with and without the prefix data', () => {
    expect(two.evaluateRule('a.b.allow', { input: 1 })).toBe(true)
    expect(two.evaluateRule('data.a.b.allow', { input: 1 })).toBe(true)
  })

  test('an undefined rule differs from a missing one', () => {
    expect(two.evaluateRule('a.b.allow')).toBeUndefined()
    for (const path of ['a.b.none', 'a.b', 'a', '', 'a.b.f', 'a.b.allow.x']) {
      expect(() => two.evaluateRule(path), path).toThrow(`undefined rule '${path}'`)
      expect(two.hasRule(path)).toBe(false)
    }
  })

  test('one evaluation can return several', () => {
    const lines: string[] = []
    const shared = engine('package a\nq if { print("q") }\nx if q\ny if q')
    const evaluation = shared.begin({ print: (line) => lines.push(line) })
    expect([evaluation.rule('a.x'), evaluation.rule('a.y')]).toEqual([true, true])
    expect(evaluation.query(shared.prepare('data.a.x'))).toHaveLength(1)
    expect(lines).toEqual(['q'])
  })
})

describe('extensions', () => {
  const extension = (name: string, call: Builtin['call'], args = [STRING]): Builtin => ({
    name,
    args,
    result: ANY,
    call,
  })

  test('are called like built-ins, also without arguments', () => {
    const extensions = [
      extension('my.twice', (_, a) => `${a}${a}`),
      extension('my.count', () => 7, []),
    ]
    const extended = engine('package a\nx := my.twice("b")\ny := my.count()', { extensions })
    expect([extended.evaluateRule('a.x'), extended.evaluateRule('a.y')]).toEqual(['bb', 7])
  })

  test('can be replaced by with', () => {
    const extensions = [extension('my.get', () => 'real')]
    const extended = engine(
      'package a\nx := my.get("b")\ny := z if { z := x with my.get as "fake" }',
      {
        extensions,
      },
    )
    expect(extended.evaluateRule('a.y')).toBe('fake')
  })

  test('their fatal errors are errors in both modes', () => {
    const fatal = extension('my.fail', () => {
      throw new BuiltinError('broken', 'eval_builtin_error', { fatal: true })
    })
    const extended = engine('package a\nx := my.fail("b")', { extensions: [fatal] })
    expect(() => extended.evaluateRule('a.x', { strict: false })).toThrow('my.fail: broken')
  })

  test('are not called with undefined', () => {
    const extensions = [extension('my.get', () => 'called')]
    expect(
      engine('package a\nx := my.get(input.none)', { extensions }).evaluateRule('a.x'),
    ).toBeUndefined()
  })

  test('internal exceptions are converted to Rego errors', () => {
    const broken = extension('my.bug', () => {
      throw new TypeError('oops')
    })
    const extended = engine('package a\nx := my.bug("b")', { extensions: [broken] })
    expect(() => extended.evaluateRule('a.x')).toThrow(RegoError)
  })
})

describe('tracers', () => {
  test('receive rules, literals and their values', () => {
    const seen: string[] = []
    const traced = engine('package a\nx if {\n  input.n > 1\n  input.m == "k"\n}', {
      tracer: {
        enterRule: (_: unknown, branch: number) => seen.push(`rule ${branch}`),
        pass: (literal: { span: { text: string } }) => seen.push(`pass ${literal.span.text}`),
        exit: (
          literal: { span: { text: string } },
          operands: () => readonly { term: { span: { text: string } }; value: unknown }[],
        ) =>
          seen.push(
            `exit ${literal.span.text}: ${operands().map(({ term, value }) => `${term.span.text}=${String(value)}`)}`,
          ),
      },
    })
    expect(traced.evaluateRule('a.x', { input: { n: 2, m: 'l' } })).toBeUndefined()
    expect(seen).toEqual([
      'rule 0',
      'pass input.n > 1',
      'exit input.m == "k": input.m=l',
      'exit input.n > 1: input.n=2',
    ])
  })
})
