import { expect, test } from 'vitest'
import { found } from '../lint.fixture.ts'

const get = 'service.identity.get("name")'
const findings = (rules: string) => found('private-reason', `package policy\n\n${rules}`)

test.each<[string, string, string?]>([
  ['sprintf', `deny contains sprintf("%s", [${get}])`],
  ['concat', `deny contains concat(" ", ["no", ${get}])`],
  ['a template', `deny contains $"no {${get}}"`],
  ['the value itself', `deny contains ${get}`],
  ['a variable', `deny contains msg if {\n\tx := ${get}\n\tmsg := upper(x)\n}`],
  ['a variable by =', `deny contains msg if {\n\tmsg = concat("", [x])\n\tx = ${get}\n}`],
  ['a pattern', `deny contains b if [_, {"k": b}] := json.unmarshal(${get})`],
  ['an output argument', `deny contains x if service.identity.get("name", x)`],
  ['a path of walk', 'deny contains concat("/", p) if walk(data.privacy, [p, _])', 'data.privacy'],
  ['a key', 'deny contains k if data.privacy[k]', 'data.privacy'],
  ['some in', 'deny contains x if some x in data.privacy.list', 'data.privacy'],
  ['some key in', 'deny contains k if some k, _ in data.privacy.list', 'data.privacy'],
  ['an import', 'import data.privacy.bid\n\ndeny contains sprintf("%d", [bid])', 'data.privacy'],
  ['a rule', `deny contains sprintf("%s", [name])\n\nname := ${get}`],
  ['rules after one another', `deny contains c\n\nc := {"k": b}\n\nb := [a]\n\na := ${get}`],
  ['a rule with a default', `deny contains name\n\ndefault name := ""\n\nname := ${get}`],
  ['a partial set', `deny contains sprintf("%s", [x]) if some x in names\n\nnames contains ${get}`],
  ['a partial object', `deny contains names[_]\n\nnames[k] := ${get} if some k in [1]`],
  ['a whole package', `deny contains json.marshal(data.policy.inner)\n\ninner.name := ${get}`],
  ['a function', `deny contains text(${get})\n\ntext(x) := sprintf("no %v", [x])`],
  ['a function that reads', `deny contains text("name")\n\ntext(x) := service.identity.get(x)`],
  [
    'functions after one another',
    `deny contains f(${get})\n\nf(x) := g(1, x)\n\ng(_, y) := {"a": y}`,
  ],
  ['a pattern of a function', `deny contains f([1, ${get}])\n\nf([_, y]) := y`],
  ['an else', `deny contains f(1)\n\nf(x) := "a" if x > 1\n\nelse := ${get}`],
  ['a comprehension', `deny contains concat(",", [x | x := ${get}])`],
  ['a look-up', `deny contains data.params.names[${get}]`],
  ['with', `deny contains x if x := text with input as ${get}\n\ntext := input`],
  [
    'a decision as text',
    'deny contains sprintf("%v", [service.identity.age_gte(18)])',
    'service.identity.age_gte',
  ],
  [
    'a decision as text of a function',
    'deny contains f(service.identity.age_gte(18))\n\nf(x) := $"is {x}"',
    'service.identity.age_gte',
  ],
  [
    'a number',
    'deny contains service.confidential.blacklist.count()',
    'service.confidential.blacklist.count',
  ],
  [
    'confidential values',
    'deny contains service.confidential.get("a", "b")',
    'service.confidential.get',
  ],
  ['a complete deny rule', `deny := {sprintf("%s", [${get}])}`],
  ['violation', `violation contains {"msg": ${get}}`],
  ['a decision with a reason', `decision := {"allow": false, "reason": ${get}}`],
])('%s tells it', (_, rules, source = 'service.identity.get') => {
  const [finding, ...more] = findings(rules)
  expect(finding).toMatch(
    new RegExp(
      `^0\\.rego:\\d+ (a reason|the value) of data\\.policy\\.\\w+ is derived from private data: ${source}$`,
    ),
  )
  expect(more).toEqual([])
})

test.each([
  `deny contains "no" if ${get} == "x"`,
  'deny contains "too young" if not service.identity.age_gte(18)',
  'deny contains sprintf("%d", [input.value]) if not service.identity.check_approved()',
  'allow if service.identity.check_approved()',
  'allow := service.confidential.allowlist.contains(input.to)',
  'allow := old\n\nold := service.identity.age_gte(18)',
  'decision := {"allow": service.identity.check_approved(), "reason": "identity"}',
  'allow := f(data.privacy.bid)\n\nf(x) := x > 5',
  `deny contains text(input.a)\n\ntext(x) := upper(x)\n\nother := text(${get})`,
  `name := ${get}`,
  'deny contains "x" if some x in data.privacy.list',
  'deny contains msg if {\n\tsome name in data.wasm.list\n\tmsg := name\n\tcount(data.privacy) > 1\n}',
  'allow := f(service.identity.age_gte(18))\n\nf(x) := [x]',
  'deny contains f(1, service.identity.get("a"))\n\nf(x, _) := x',
])('%s tells nothing', (rules) => {
  expect(findings(rules)).toEqual([])
})

test('each rule and branch is found, at its text', () => {
  expect(
    findings(
      `deny contains ${get}\n\ndeny contains "a"\n\ndeny contains msg if {\n\tmsg := ${get}\n}`,
    ),
  ).toEqual([
    '0.rego:3 a reason of data.policy.deny is derived from private data: service.identity.get',
    '0.rego:7 a reason of data.policy.deny is derived from private data: service.identity.get',
  ])
})

test('tests are not', () => {
  expect(found('private-reason', `package policy_test\n\ndeny contains ${get}`)).toEqual([])
})
