import { expect, test } from 'vitest'
import { found, lint } from '../lint.fixture.ts'

const policy = (rules: string): string => `package policy\n\n${rules}`
const findings = (rules: string) => found('unrestricted-target', policy(rules))
const limited = 'input.value <= data.params.max'

/** A policy whose only condition about the target is a deny rule, with what that reads. */
const denying = (rules: string): string => `allow if count(deny) == 0\n\n${rules}`

test.each<[string, string]>([
  ['a comparison', `allow if {\n\t${limited}\n\tinput.to == data.params.to\n}`],
  ['an order', `allow if {\n\t${limited}\n\tinput["to"] in data.params.list\n}`],
  ['a look-up', `allow if {\n\t${limited}\n\tdata.params.allowed[input.to]\n}`],
  [
    'a look-up that is named',
    `allow if {\n\tmax := data.params.limits[input.to]\n\tinput.value <= max\n}`,
  ],
  ['a variable', `allow if {\n\t${limited}\n\tto := input.to\n\tto == data.params.to\n}`],
  ['a variable by =', `allow if {\n\t${limited}\n\tto = input.to\n\tto == data.params.to\n}`],
  [
    'the intent as a variable',
    `allow if {\n\ti := input\n\ti.value < 5\n\ti.to == data.params.to\n}`,
  ],
  [
    'the intent as a rule',
    `intent := input\n\nallow if {\n\tintent.value < 5\n\tintent.to == "0x1"\n}`,
  ],
  ['an import', `import input.to as target\n\nallow if {\n\t${limited}\n\ttarget == "0x1"\n}`],
  ['a key that is a variable', `allow if {\n\tsome k\n\t${limited}\n\tinput[k] == "0x1"\n}`],
  ['all members', `allow if {\n\t${limited}\n\tsome k, v in input\n\tv == data.params[k]\n}`],
  ['a pattern', `allow if {\n\t${limited}\n\t["0x1", _] := [input.to, 1]\n}`],
  [
    'a rule',
    `allow if {\n\t${limited}\n\tlisted\n}\n\nlisted if lower(input.to) in data.params.list`,
  ],
  [
    'a rule with a value',
    `allow if {\n\t${limited}\n\tn := limit\n\tn > 1\n}\n\nlimit := 5 if input.to == "0x1"`,
  ],
  ['a function', `allow if {\n\t${limited}\n\tok(input.to)\n}\n\nok(to) if to in data.params.list`],
  [
    'a function of the intent',
    `allow if ok(input)\n\nok(i) if {\n\ti.value < 5\n\tlisted(i)\n}\n\nlisted(i) if i.to == "0x1"`,
  ],
  [
    'a pattern of a function',
    `allow if ok([input.to, input.value])\n\nok(["0x1", value]) if value < 5`,
  ],
  ['object.get', `allow if {\n\t${limited}\n\tobject.get(input, "to", "") == "0x1"\n}`],
  [
    'every',
    `allow if {\n\t${limited}\n\tevery x in [input.to, input.from] { x in data.params.list }\n}`,
  ],
  [
    'a comprehension',
    `allow if {\n\t${limited}\n\tcount([x | some x in data.params.list; x == input.to]) == 1\n}`,
  ],
  [
    'a set',
    `allow if {\n\t${limited}\n\tinput.to in list\n}\n\nlist contains lower(x) if some x in data.params.list`,
  ],
  ['else', `allow := false if input.to == "0x1"\n\nelse := true if ${limited}`],
  ['a value', `allow := input.to == "0x1" if ${limited}`],
  [
    'an oracle',
    denying(
      `deny contains "x" if ${limited}\n\ndeny contains "y" if data.wasm.a.address != input.to`,
    ),
  ],
  [
    'a deny rule',
    denying(
      `deny contains "x" if input.value > 5\n\ndeny contains "y" if not input.to in data.params.list`,
    ),
  ],
  [
    'a deny rule with a message',
    denying(
      'deny contains msg if {\n\tinput.value > 5\n\tnot listed\n\tmsg := sprintf("%s", [input.to])\n}\n\nlisted if input.to == "0x1"',
    ),
  ],
  [
    'a signature of an approver',
    `allow if {\n\t${limited}\n\tservice.crypto.ecdsa_recover_signer(input.intent_signature, input.intent_digest) == data.params.approver\n}`,
  ],
  [
    'private data',
    `allow if {\n\t${limited}\n\tservice.confidential.allowlist["contains"](input.to)\n}`,
  ],
  ['no calldata', `allow if {\n\t${limited}\n\tinput.data == "0x"\n}`],
  [
    'no calldata, by a rule',
    denying(
      `deny contains "x" if input.value > 5\n\ndeny contains "call" if not plain\n\nplain if input.data == "0x"`,
    ),
  ],
  [
    'no calldata, by a function',
    `allow if plain(input)\n\nplain(i) if {\n\ti.value < 5\n\ti.data == none\n}\n\nnone := "0x"`,
  ],
  [
    'no calldata, in a deny rule',
    denying(`deny contains "x" if input.value > 5\n\ndeny contains "call" if input.data != "0x"`),
  ],
])('%s restricts the target', (_, rules) => {
  expect(findings(rules)).toEqual([])
})

test.each<[string, string]>([
  ['a value', `allow if ${limited}`],
  ['a function name', `allow if {\n\t${limited}\n\tinput.function.name == "transfer"\n}`],
  ['a type', `allow if {\n\t${limited}\n\tis_string(input.to)\n\tcount(input.to) == 42\n}`],
  ['that there is one', `allow if {\n\t${limited}\n\tinput.to\n}`],
  ['a name that nothing reads', `allow if {\n\t${limited}\n\tto := input.to\n}`],
  ['a reason', denying(`deny contains sprintf("no call of %s", [input.to]) if input.value > 5`)],
  [
    'a reason that is named',
    denying(
      'deny contains msg if {\n\tinput.value > 5\n\tto := input.to\n\tmsg := concat(" ", ["no", to])\n}',
    ),
  ],
  ['a rule that no decision reads', `allow if ${limited}\n\nlisted if input.to == "0x1"`],
  ['another member of the intent', `allow if ok(input)\n\nok(i) if i.value < 5`],
  ['another member by object.get', 'allow if object.get(input, "value", 9) < 5'],
  [
    'a signature of the sender',
    'allow if {\n\tsigner := service.crypto.ecdsa_recover_signer(input.intent_signature, input.intent_digest)\n\tlower(signer) == input.from\n}',
  ],
  ['calldata', `allow if {\n\t${limited}\n\tinput.data != "0x01"\n}`],
  [
    'no calldata in one of two',
    `allow if {\n\t${limited}\n\tok\n}\n\nok if input.data == "0x"\n\nok if input.function.name == "a"`,
  ],
  [
    'no calldata or else',
    denying('deny contains "x" if {\n\tinput.data != "0x"\n\tnot input.function.name == "a"\n}'),
  ],
  [
    'another intent',
    `allow if {\n\t${limited}\n\tlisted with input as {"to": "0x1"}\n}\n\nlisted if input.to == "0x1"`,
  ],
])('%s does not', (_, rules) => {
  expect(findings(rules)).toHaveLength(1)
})

test('a finding is at the first rule of the decision, where a comment turns it off', () => {
  const rules = `default allow := false\n\nallow if ${limited}\n\nallow if input.value == 0`
  const message =
    'data.policy.allow does not depend on input.to: a call of any contract may be allowed'
  expect(findings(rules)).toEqual([`0.rego:5 ${message}`])
  const noted = rules.replace('allow if', '# lint:ignore unrestricted-target: a reason\nallow if')
  expect(findings(noted)).toEqual([])
})

test('a decision that another rule reads is none of its own', () => {
  const rules = `allow if {\n\tapproved\n\tinput.to == "0x1"\n}\n\napproved if ${limited}`
  expect(findings(rules)).toEqual([])
})

test('policies of something else than intents have no target, unless they are an entrypoint', () => {
  const rules = 'allow if input.user == "a"\n\nmain if input.user == "b"'
  expect(findings(rules)).toEqual([])
  const entrypoint = { rules: ['unrestricted-target'], entrypoint: 'policy.main' }
  expect(lint([policy(rules)], entrypoint).map(({ place }) => place?.row)).toEqual([5])
})
