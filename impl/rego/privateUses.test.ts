import { expect, test } from 'vitest'
import { profileBuiltins } from './builtins/capabilities.ts'
import { type PrivateUses, privateUses } from './privateUses.ts'

const uses = (rules: string): PrivateUses =>
  privateUses(`package policy\n\nimport data.lib\n\n${rules}\n`)
const none: PrivateUses = { identity: false, confidential: [], privacy: false }

test.each<[string, Partial<PrivateUses>]>([
  ['allow if input.value < data.params.max', {}],
  ['allow if lib.privacy.x', {}],
  ['allow if input.identity.status == "service.identity.get"', {}],
  ['# service.identity.get("x")\nallow := "data.privacy"', {}],
  ['allow if service.identity.check_approved()', { identity: true }],
  ['allow if not service.identity.age_gte(18)', { identity: true }],
  ['allow if count([1 | service.identity.not_expired()]) > 0', { identity: true }],
  ['allow if every x in [1] { service.identity.address_in_countries([x]) }', { identity: true }],
  ['allow if { upper("status", _) with upper as service.identity.get }', { identity: true }],
  ['f(x) := service.identity.get(x)', { identity: true }],
  ['p[service.identity.get("a")] := 1', { identity: true }],
  ['p contains service.identity.get("a")', { identity: true }],
  ['p := 1 if input.x\n\nelse := service.identity.get("a")', { identity: true }],
  ['allow if service.confidential.allowlist.contains(input.to)', { confidential: ['allowlist'] }],
  [
    'deny contains "x" if service.confidential.blacklist.contains(input.to)\n\nn := service.confidential.allowlist.count()',
    { confidential: ['allowlist', 'blacklist'] },
  ],
  ['p := service.confidential.get("limits", input.to)', { confidential: ['limits'] }],
  ['p := service.confidential.get(input.type, "x")', { confidential: 'all' }],
  [
    'p := service.confidential.get(data.params.type, "x")\n\nq := service.confidential.get("a", "x")',
    { confidential: 'all' },
  ],
  ['p if { concat("a", "b", _) with concat as service.confidential.get }', { confidential: 'all' }],
  ['allow if data.privacy.bid > 5', { privacy: true }],
  ['allow if data["privacy"]', { privacy: true }],
  ['p := data[input.x].bid', { privacy: true }],
])('%s', (rules, expected) => {
  expect(uses(rules)).toEqual({ ...none, ...expected })
})

test.each([
  ['data', 'p.privacy.bid'],
  ['data.privacy', 'p.bid'],
  ['data.privacy.sealed', 'p.bid'],
])('import %s as p, then %s', (path, read) => {
  expect(privateUses(`package policy\n\nimport ${path} as p\n\nallow if ${read}`).privacy).toBe(
    true,
  )
})

test('a policy that does not compile reads nothing; another namespace has other names', () => {
  expect(uses('allow if {')).toEqual(none)
  // All of `data` has the rule itself in it.
  expect(uses('p := walk(data, _)')).toEqual(none)
  expect(uses('allow if acme.identity.check_approved()')).toEqual(none)
  const branded = 'package policy\n\nallow if acme.identity.check_approved()'
  expect(privateUses(branded, 'acme')).toEqual({ ...none, identity: true })
})

test('every extension for private data is found', () => {
  for (const { name, args } of profileBuiltins('service').values()) {
    if (!/\.(identity|confidential)\./.test(name)) continue
    const found = uses(`p := ${name}(${args.map(() => 'input.x').join(', ')})`)
    expect(found, name).not.toEqual(none)
  }
})
