import { readFileSync } from 'node:fs'

/** A measured evaluation; `goal` is the target ratio of this engine's time to the faster peer's. */
export type Case = {
  readonly name: string
  readonly mode: 'warm' | 'cold'
  readonly goal: number
  readonly policy: string
  readonly data?: unknown
  readonly input?: unknown
  /** Path of the rule, beginning with `data.`. */
  readonly rule: string
}

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
const readJson = (name: string): unknown => JSON.parse(read(name))

/** 10,000 bindings of 2,500 users; the requested one is last. */
function roleTable() {
  const bindings = Array.from({ length: 10_000 }, (_, at) => ({
    user: `user-${Math.floor(at / 4)}`,
    role: `role-${at % 7}`,
  }))
  const roles_by_user: Record<string, string[]> = {}
  for (const { user, role } of bindings) {
    const roles = roles_by_user[user] ?? []
    roles_by_user[user] = [...roles, role]
  }
  return { bindings, roles_by_user }
}

/** 1,000 rules that compare one member of the input each; only the last matches. */
function manyRules() {
  const rules = Array.from(
    { length: 1_000 },
    (_, at) =>
      `allow if {\n\tinput.method == "GET"\n\tinput.path == "/resource/${at}"\n\tinput.tenant == "tenant-${at % 10}"\n}\n`,
  )
  return `package rules\n\ndefault allow := false\n\n${rules.join('\n')}`
}

const transfer = {
  policy: read('transfer.rego'),
  rule: 'data.transfer.allow',
  data: {
    params: {
      max_value: 5_000_000_000_000_000,
      max_notional: 100_000,
      max_age: 300,
      now: 1_760_000_000,
      enforce_recipients: true,
      recipients: [
        '0x1111111111111111111111111111111111111111',
        '0x2222222222222222222222222222222222222222',
      ],
      functions: ['transfer', 'approve'],
      chains: [1, 31_337],
      blocked: [{ address: '0x3333333333333333333333333333333333333333', why: 'listed' }],
      token_recipients: ['0x4444444444444444444444444444444444444444'],
      max_token_value: 1_000_000,
      tiers: { high: 4_000_000_000_000_000, middle: 1_000_000_000_000_000 },
      approvals: ['a', 'b'],
      approvers: ['a', 'b', 'c'],
    },
    wasm: { price_feed: { price: 2500.25, updated_at: 1_759_999_900 } },
  },
  input: {
    from: '0x9999999999999999999999999999999999999999',
    to: '0x2222222222222222222222222222222222222222',
    value: 2_000_000_000_000_000,
    chain_id: 31_337,
    function: {
      name: 'transfer',
      arguments: ['0x4444444444444444444444444444444444444444', '1000'],
    },
  },
}

/** Cases of `npm run bench:rego` besides the fixture policies. */
export function benchCases(): Case[] {
  const table = roleTable()
  const asked = { user: 'user-2499', role: 'role-3' }
  const roles = { policy: read('roles.rego'), data: table, input: asked, mode: 'warm' } as const
  const compute = { policy: read('compute.rego'), mode: 'warm', goal: 0.2 } as const
  return [
    { name: 'transfer (70 lines)', mode: 'warm', goal: 0.5, ...transfer },
    { name: 'roles: scan of 10,000', goal: 0.05, rule: 'data.roles.allow', ...roles },
    { name: 'roles: look-up', goal: 0.05, rule: 'data.roles.allow_lookup', ...roles },
    { name: 'roles: partial set', goal: 0.05, rule: 'data.roles.granted', ...roles },
    {
      name: '1,000 rules, the last',
      mode: 'warm',
      goal: 0.05,
      policy: manyRules(),
      rule: 'data.rules.allow',
      input: { method: 'GET', path: '/resource/999', tenant: 'tenant-9' },
    },
    { name: 'pairs 300 x 300', rule: 'data.compute.pairs', ...compute },
    { name: '300 calls', rule: 'data.compute.calls', ...compute },
    { name: 'every over 300', rule: 'data.compute.all_positive', ...compute },
    { name: 'strings', rule: 'data.compute.strings', ...compute },
    { name: 'aggregates', rule: 'data.compute.aggregates', ...compute },
    {
      name: 'admission (1,100 lines)',
      mode: 'warm',
      goal: 1,
      policy: read('admission.rego'),
      data: readJson('admission.data.json'),
      input: readJson('admission.input.json'),
      rule: 'data.admission.allow',
    },
    { name: 'cold: transfer (70 lines)', mode: 'cold', goal: 2, ...transfer },
  ]
}
