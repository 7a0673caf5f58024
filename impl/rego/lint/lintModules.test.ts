import { expect, test } from 'vitest'
import { found, lint } from './lint.fixture.ts'
import { LINT_RULES } from './rules.ts'

test.each(LINT_RULES)('$id finds its bad example, and nothing in the good one', (rule) => {
  expect(found(rule.id, ...rule.bad)).toHaveLength(1)
  expect(found(rule.id, ...rule.good)).toEqual([])
})

test('a finding has its place, with the end', () => {
  const [finding] = lint(['package policy\n\ndefault allow := true'])
  expect(finding).toEqual({
    rule: 'default-allow',
    message: 'allow is true by default',
    help: 'write `default allow := false`, and make allow true under conditions',
    place: { file: '0.rego', row: 3, col: 1, end: { row: 3, col: 22 } },
  })
})

test('findings are ordered by place, those without a place last', () => {
  const policy =
    'package policy\n\ndefault allow := true\n\ndeny contains "no" if not f(input.x)\n\nf(x) if x'
  const findings = lint([policy], { params: [['max', 'value']] })
  expect(findings.map(({ rule, place }) => [rule, place?.row])).toEqual([
    ['default-allow', 3],
    ['untested-deny', 5],
    ['undefined-negation', 5],
    ['unread-param', undefined],
  ])
})

test.each([
  ['above', '# lint:ignore default-allow: a demo\ndefault allow := true', 0],
  [
    'above, with others',
    '# lint:ignore untested-deny, default-allow: a demo\n# more\ndefault allow := true',
    0,
  ],
  ['at the end of the line', 'default allow := true # lint:ignore default-allow', 0],
  [
    'for the file',
    '# lint:ignore-file default-allow: a demo\n\np := 1\n\ndefault allow := true',
    0,
  ],
  ['for another rule', '# lint:ignore untested-deny: a demo\ndefault allow := true', 1],
  ['for another line', '# lint:ignore default-allow: a demo\np := 1\n\ndefault allow := true', 1],
])('a comment %s', (_, text, count) => {
  expect(lint([`package policy\n\n${text}`])).toHaveLength(count)
})

test.each([
  ['# lint:ignore default-alow: a demo', 'this comment of lint names no rule: default-alow'],
  ['# lint:ignore', 'this comment of lint names no rule'],
  ['# lint:ignore: reason', 'this comment of lint names no rule'],
  ['# lint:disable default-allow', 'this comment of lint names no rule'],
])('%s turns off nothing and says so', (comment, message) => {
  const findings = lint([`package policy\n\n${comment}\ndefault allow := true`])
  expect(findings.map((each) => [each.rule, each.message])).toEqual([
    ['lint-comment', message],
    ['default-allow', 'allow is true by default'],
  ])
})

test('modules that do not compile are an error', () => {
  expect(() => lint(['package policy\n\nallow if x'])).toThrow('var x is unsafe')
})
