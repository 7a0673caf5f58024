import { expect, it } from 'vitest'
import { namespacedModule } from './namespacedModule.ts'

const moved = async (source: string, tests: string[] = []) =>
  await namespacedModule({
    target: 'all',
    part: {
      policy: { name: 'a.rego', source },
      tests: tests.map((test, at) => ({ name: `${at}_test.rego`, source: test })),
      namespace: 'kyc',
    },
  })

const rules = async (...lines: string[]) =>
  (await moved(`package policy\n\n${lines.join('\n')}`)).rules.split('\n')

it('names rules, functions and sets below the namespace', async () => {
  expect(
    await rules(
      'default allow := false',
      'allow if { count(deny) == 0; twice(2) == 4 }',
      'deny contains "no" if limits.low > 1',
      'limits[name] := 1 if some name in ["low"]',
      'twice(x) := x * 2',
    ),
  ).toEqual([
    'default kyc.allow := false',
    'kyc.allow if { count(data.all.kyc.deny) == 0; data.all.kyc.twice(2) == 4 }',
    'kyc.deny contains "no" if data.all.kyc.limits.low > 1',
    'kyc.limits[name] := 1 if some name in ["low"]',
    'kyc.twice(x) := x * 2',
  ])
})

it('reads parameters below the namespace, however they are written', async () => {
  expect(
    await rules(
      'import data.params',
      'import data.params.limits as most',
      'import data.wasm.feed',
      'a := params.x + data.params["y"].z + data["params"][input.key]',
      'b := most[0] + feed.price',
      'c if allowed with data.params.x as 1 with data.policy.a as 2',
      'allowed if data.params',
      'd := {k | some k, _ in data.params}',
    ),
  ).toEqual(
    [
      '',
      '',
      '',
      'kyc.a := data.params.kyc.x + data.params.kyc["y"].z + data.params.kyc[input.key]',
      'kyc.b := data.params.kyc.limits[0] + data.wasm.feed.price',
      'kyc.c if data.all.kyc.allowed with data.params.kyc.x as 1 with data.all.kyc.a as 2',
      'kyc.allowed if data.params.kyc',
      'kyc.d := {k | some k, _ in data.params.kyc}',
    ].slice(3),
  )
})

it('keeps local variables with the name of a rule', async () => {
  expect(
    await rules(
      'x := 1',
      'f(x) := x',
      'g := [x | some x in [2]]',
      'h if { x := 3; x == 3 }',
      'i := x',
    ),
  ).toEqual([
    'kyc.x := 1',
    'kyc.f(x) := x',
    'kyc.g := [x | some x in [2]]',
    'kyc.h if { x := 3; x == 3 }',
    'kyc.i := data.all.kyc.x',
  ])
})

it('keeps tests as modules of their own, which test the renamed rules', async () => {
  const { tests } = await moved('package policy\n\nallow if data.params.on', [
    'package policy_test\n\nimport data.policy\n\ntest_on if policy.allow with data.params as {"on": true}',
    'package policy\n\nhelper := {"on": true}\n\ntest_off if not allow with data.params.on as false\n\ntest_on if allow with data.params as helper',
  ])
  expect(tests.map(({ source }) => source)).toEqual([
    'package all_tests.kyc.policy_test\n\n\n\ntest_on if data.all.kyc.allow with data.params.kyc as {"on": true}',
    'package all_tests.kyc.policy\n\nhelper := {"on": true}\n\ntest_off if not data.all.kyc.allow with data.params.kyc.on as false\n\ntest_on if data.all.kyc.allow with data.params.kyc as data.all_tests.kyc.policy.helper',
  ])
})

it('refuses to read a folder of packages that has the other policies too', async () => {
  const test = 'package policy_test\n\ntest_a if count(data.policy) == 1'
  await expect(moved('package policy.deep\n\nallow if input.x', [test])).rejects.toMatchObject({
    message: expect.stringContaining('reads all of data'),
    location: { file: '0_test.rego', row: 3, col: 17 },
  })
})
