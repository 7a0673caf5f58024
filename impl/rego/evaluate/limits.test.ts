import { describe, expect, test } from 'vitest'
import { createEngine } from '../engine.ts'
import { errorOf, answerOf as p } from '../testing/answers.ts'

const slow =
  'p := count([1 | some a in r; some b in r; some c in r; a + b + c == -1])\nr := numbers.range(1, 2000)'

describe('a limit names the file and line', () => {
  const limits = { steps: 20_000, memoryBytes: 1_000_000 }
  const loop = 'count([1 | some a in r; some b in r; a + b == -1])\nr := numbers.range(1, 2000)'
  test.each([
    ['of a rule', `p if q > 0\n\nq := ${loop}`, 4],
    ['of a function', `p := f(1)\n\n\nf(x) := x + ${loop}`, 5],
    [
      'of a partial rule',
      'p := s\ns contains [a, b] if {\n  some a in numbers.range(1, 2000)\n  some b in numbers.range(1, 2000)\n}',
      3,
    ],
    ['of a built-in', 'p if {\n  true\n  numbers.range(1, 1000000)\n}', 4],
    [
      'of a test of memory',
      'p := q\nq := concat("", [x | some i in numbers.range(1, 2000); x := sprintf("%1000d", [i])])',
      3,
    ],
  ])('%s', (_, source, line) => {
    expect(() => p(source, { limits })).toThrow(
      expect.objectContaining({
        code: 'eval_cancel_error',
        location: expect.objectContaining({ file: 'test-0.rego', row: line }),
      }),
    )
  })

  test('of a query', () => {
    const query = 'some a in numbers.range(1, 900); some b in numbers.range(1, 900); a + b == -1'
    const engine = createEngine({ modules: [], limits })
    expect(() => engine.prepare(query).evaluate()).toThrow(
      expect.objectContaining({ location: { file: 'query', row: 1, col: 1 } }),
    )
  })
})

describe('an evaluation ends', () => {
  test('at its deadline', () => {
    const start = performance.now()
    expect(errorOf(slow, { limits: { deadlineMs: 50 } })).toBe(
      'eval_cancel_error: execution exceeded time limit',
    )
    expect(performance.now() - start).toBeLessThan(5_000)
  })

  test('by the clock it is given', () => {
    let now = 0
    const clock = () => now++
    expect(errorOf(slow, { limits: { deadlineMs: 3 }, clock })).toMatch(/time limit/)
    expect(now).toBeLessThan(20)
  })

  test('when it exceeds its steps', () => {
    expect(errorOf(slow, { limits: { steps: 10_000 } })).toMatch(/used up its steps/)
  })

  test.each([
    'p := [[a, b] | some a in numbers.range(1, 5000); some b in numbers.range(1, 5000)]',
    'p := {[a, b] | some a in numbers.range(1, 5000); some b in numbers.range(1, 5000)}',
    'p := {k: 1 | some a in numbers.range(1, 5000); some b in numbers.range(1, 5000); k := a * 5000 + b}',
    'q contains [a, b] if { some a in numbers.range(1, 5000); some b in numbers.range(1, 5000) }\np := count(q)',
    'q[a][b] := 1 if { some a in numbers.range(1, 5000); some b in numbers.range(1, 5000) }\np := count(q)',
    'p := numbers.range(1, 1000000000000)',
    'p := concat("", [x | some i in numbers.range(1, 100000); x := sprintf("%1000d", [i])])',
    'f(x) := concat("", [x, x])\np := f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f(f("aaaaaaaa")))))))))))))))))))))))))',
  ])('%s runs out of memory or time, not the process', (source) => {
    const limits = { memoryBytes: 32 * 1024 * 1024, deadlineMs: 5_000 }
    expect(errorOf(source, { limits })).toMatch(/^eval_(cancel|builtin)_error/)
  })

  test('chains of rules deeper than the stack', () => {
    const rules = Array.from({ length: 20_000 }, (_, i) => `r${i} := r${i + 1}`).join('\n')
    expect(errorOf(`${rules}\nr20000 := 1\np := r0`)).toMatch(/^eval_cancel_error|no error/)
  })
})

test('the time is constant within an evaluation', () => {
  let now = 0n
  const nowNs = () => now++
  expect(p('p := [time.now_ns(), q, time.now_ns()]\nq := time.now_ns()', { nowNs })).toBe('[0,0,0]')
})

test('randomness comes from the seed, and is constant for a key', () => {
  const source = 'p := [rand.intn("a", 1000000), rand.intn("a", 1000000), uuid.rfc4122("k")]'
  const seed = (first: number) => () => new Uint8Array([first, 1, 2, 3])
  const one = p(source, { seed: seed(1) })
  expect(p(source, { seed: seed(1) })).toBe(one)
  expect(p(source, { seed: seed(2) })).not.toBe(one)
  const [a, b] = JSON.parse(one)
  expect(a).toBe(b)
})
