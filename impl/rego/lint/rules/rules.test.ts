import { describe, expect, test } from 'vitest'
import { found } from '../lint.fixture.ts'

const policy = (text: string): string => `package policy\n\n${text}`
const tests = (text: string): string => `package policy_test\n\nimport data.policy\n\n${text}`

describe('default-allow', () => {
  test.each([
    'default allow := true',
    'default decision = true',
    'allow := true',
    'allow if true',
    'allow := false if input.x\n\nelse := true',
    'allow := false if input.x\n\nelse := true if true',
  ])('finds %j', (text) => {
    expect(found('default-allow', policy(text))).toHaveLength(1)
  })

  test.each([
    'default allow := false',
    'default deny := true',
    'allow := true if input.x',
    'allow := false if input.x\n\nelse := true if input.y',
    'allow(x) := true if x',
    'allow["a"] := true',
    'allow := false',
  ])('does not find %j', (text) => {
    expect(found('default-allow', policy(text))).toEqual([])
  })
})

describe('untested-deny', () => {
  const two = policy('deny contains "one" if input.a\n\ndeny contains "two is here" if input.b')

  test('without tests, one finding for all rules', () => {
    expect(found('untested-deny', two)).toEqual([
      '0.rego:3 no test reads data.policy.deny: its 2 rules are untested',
    ])
  })

  test('each reason that no test names', () => {
    expect(found('untested-deny', two, tests('test_a if policy.deny == {"one"}'))).toEqual([
      '0.rego:5 no test expects the reason "two is here" of data.policy.deny',
    ])
  })

  test.each([
    'test_a if policy.deny == {"one", "two is here"}',
    'test_a if "one" in policy.deny\n\ntest_b if {\n\tsome x in policy.deny\n\tstartswith(x, "two is")\n}',
    'reasons := policy.deny\n\ntest_a if reasons == {"one"}\n\ntest_b if {\n\td := policy.deny\n\td == {"two is here"}\n}',
  ])('not with %j', (text) => {
    expect(found('untested-deny', two, tests(text))).toEqual([])
  })

  test('a computed reason only needs a test that reads the document', () => {
    const computed = policy('deny contains sprintf("%v", [input.a])')
    expect(found('untested-deny', computed, tests('test_a if count(policy.deny) == 1'))).toEqual([])
  })
})

describe('unread-param', () => {
  const reads = [
    'p if input.x > data.params.feed.max',
    'params := data.params\n\np if input.x > params.feed.max',
    'feed := data.params.feed\n\np if input.x > feed.max',
    'p if {\n\tall := data.params\n\tinput.x > all.feed.max\n}',
    'p if f(data.params)\n\nf(params) if params.feed.max > 1',
    'p if {\n\tall := data.params\n\tf(all)\n}\n\nf(params) if params.feed.max > 1',
    'p if input.x > data.params[input.pack].max',
    'p if input.x > data.params.feed[input.name]',
    'p if some x in data.params',
  ]
  const setting = [
    'test_a if policy.p with data.params as {"feed": {"max": 1}}',
    'test_a if policy.p with data.params.feed.max as 1',
    'params := {"feed": {"max": 1}}\n\ntest_a if policy.p with data.params as params',
  ]
  test.each(reads.flatMap((read) => setting.map((set) => [read, set])))(
    'read: %j, %j',
    (read, set) => {
      expect(found('unread-param', policy(read), tests(set))).toEqual([])
    },
  )

  test.each(setting)('unread: %j', (set) => {
    const other = policy('p if input.x > data.params.feed.maximum')
    expect(found('unread-param', other, tests(set))).toEqual([
      expect.stringContaining('no rule of the policy reads data.params.feed.max'),
    ])
  })
})

describe('unhandled-oracle-error', () => {
  test.each([
    'deny contains "x" if data.wasm.feed.price > 1',
    'feed := data.wasm.feed\n\ndeny contains "x" if feed.price > 1',
    'import data.wasm\n\ndeny contains "x" if wasm.feed.price > 1',
  ])('finds %j', (text) => {
    expect(found('unhandled-oracle-error', policy(text))).toEqual([
      expect.stringContaining('reads data.wasm.feed, but not its error'),
    ])
  })

  test.each([
    'deny contains "x" if data.wasm.feed.error\n\ndeny contains "y" if data.wasm.feed.price > 1',
    'feed := data.wasm.feed\n\np if {\n\tnot feed.error\n\tfeed.price > 1\n}',
    'p if {\n\tok(data.wasm.feed)\n\tdata.wasm.feed.price > 1\n}\n\nok(x) if not x.error',
    'p if {\n\tevery x in data.wasm { not x.error }\n\tdata.wasm.feed.price > 1\n}',
  ])('does not find %j', (text) => {
    expect(found('unhandled-oracle-error', policy(text))).toEqual([])
  })

  test('only policies are searched, and each oracle for itself', () => {
    const text = policy('p if {\n\tnot data.wasm.a.error\n\tdata.wasm.a.x > data.wasm.b.x\n}')
    expect(found('unhandled-oracle-error', text, tests('test_a if data.wasm.c.x'))).toEqual([
      '0.rego:5 the policy reads data.wasm.b, but not its error',
    ])
  })
})
