import { type Hex, hashMessage, keccak256, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Check } from '../core/check.ts'
import { lastPart } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual } from '../core/expect.ts'
import { expectOperationalFailure } from '../kit/assertions/expectAnswer.ts'
import {
  acceptedSimulation,
  evaluate,
  policyOf,
  simulatePolicy,
} from '../kit/scenarios/simulation.ts'
import { simulatePolicySubject } from '../kit/scenarios/subjects.ts'

/** Section 1: the policy language, as visible to a caller. */
const { needs } = simulatePolicySubject

/** Any key: the suite signs, the policy recovers the signer. */
const signer = privateKeyToAccount(keccak256(toHex('a signer of the conformance suite')))

const language = (id: string, rules: readonly string[], expected: unknown): Check => ({
  id,
  title: `the policy language has ${lastPart(id).replaceAll('-', ' ')}`,
  clauses: ['1-17', '1-18'],
  level: 'must',
  needs,
  run: async (t) => {
    const policy = policyOf('deny := []', ...rules)
    expectEqual(await evaluate(t, policy, { entrypoint: 'policy.probe' }), expected, 'the result')
  },
})

const recover = (t: CheckContext, name: string, signature: string, argument: string) =>
  simulatePolicy(
    t,
    policyOf(
      'deny := []',
      `probe := ${t.target.brand.regoNamespace}.crypto.${name}("${signature}", "${argument}")`,
    ),
    { entrypoint: 'policy.probe' },
  )

async function recovered(t: CheckContext, name: string, signature: string, argument: string) {
  const json = (await recover(t, name, signature, argument)).json as {
    result?: { evaluation_result?: { result?: unknown } }
  }
  return json.result?.evaluation_result?.result
}

const refusesSignature = (id: string, signature: string, hash: string): Check => ({
  id,
  title: `ecdsa_recover_signer refuses ${lastPart(id).replaceAll('-', ' ')}`,
  clauses: ['1-19', '7.3-10'],
  level: 'must',
  needs,
  twin: 'the same call with a valid signature and hash',
  run: async (t) => {
    const right = keccak256(toHex('hello'))
    const good = await signer.sign({ hash: right })
    await t.twin(async () =>
      expectEqual(
        await recovered(t, 'ecdsa_recover_signer', good, right),
        signer.address,
        'the signer',
      ),
    )
    const answer = await recover(t, 'ecdsa_recover_signer', signature || good, hash || right)
    expectOperationalFailure(answer, /^Rego evaluation failed: \S/)
  },
})

export const rego: readonly Check[] = [
  language(
    // 1-17: Policies are evaluated as Rego v1.
    // 1-18: The policy language supports a subset compatible with OPA v1.2.0.
    'rego.language.partial-sets',
    ['s contains x if some x in [3, 1, 2, 1]', 'probe := count(s)'],
    3,
  ),
  language(
    'rego.language.partial-objects',
    ['o[k] := v if some k, v in {"a": 1, "b": 2}', 'probe := o'],
    {
      a: 1,
      b: 2,
    },
  ),
  language('rego.language.every', ['probe if every x in [2, 4] { x % 2 == 0 }'], true),
  language(
    'rego.language.else',
    ['probe := "first" if false', 'else := "second" if true'],
    'second',
  ),
  language(
    'rego.language.comprehensions',
    ['probe := {k: v | some k in ["a", "b"]; v := upper(k)}'],
    {
      a: 'A',
      b: 'B',
    },
  ),
  language('rego.language.functions', ['double(x) := x * 2', 'probe := double(21)'], 42),
  language(
    'rego.language.default-functions',
    ['default f(_) := "other"', 'f(x) := "one" if x == 1', 'probe := [f(1), f(2)]'],
    ['one', 'other'],
  ),
  language('rego.language.negation', ['probe if not 1 == 2'], true),
  language(
    'rego.language.with',
    ['limit := data.params.limit', 'probe := x if x := limit with data.params as {"limit": 9}'],
    9,
  ),
  language(
    'rego.language.string-functions',
    ['probe := sprintf("%s-%d", [lower("AB"), 7])'],
    'ab-7',
  ),
  language(
    'rego.language.regular-expressions',
    ['probe := regex.match("^0x[0-9a-f]+$", "0xab12")'],
    true,
  ),
  language('rego.language.exact-integers', ['probe := 9007199254740993 - 9007199254740992'], 1),
  language(
    'rego.language.walk-and-objects',
    ['probe := object.get({"a": {"b": 5}}, ["a", "b"], 0)'],
    5,
  ),
  language(
    'rego.language.base64-and-json',
    ['probe := json.unmarshal(base64.decode("eyJhIjoxfQ==")).a'],
    1,
  ),
  {
    // 1-19: The built-in service.crypto.ecdsa_recover_signer returns the signer of a raw 32-byte
    //   hash.
    id: 'rego.crypto.recover',
    title: 'ecdsa_recover_signer returns the address that signed a hash',
    clauses: ['1-19'],
    level: 'must',
    needs,
    run: async (t) => {
      const hash = keccak256(toHex('a message of the suite'))
      const signature = await signer.sign({ hash })
      const address = await recovered(t, 'ecdsa_recover_signer', signature, hash)
      expectEqual(String(address).toLowerCase(), signer.address.toLowerCase(), 'the signer')
    },
  },
  {
    // 1-20: The built-in service.crypto.ecdsa_recover_signer_personal returns the signer of a
    //   personal message (EIP-191).
    id: 'rego.crypto.recover-personal',
    title:
      'ecdsa_recover_signer_personal returns the address that signed a message, prefix included',
    clauses: ['1-20'],
    level: 'must',
    needs,
    run: async (t) => {
      const message = 'I approve transfer 7, grüße'
      const signature = await signer.signMessage({ message })
      const address = await recovered(t, 'ecdsa_recover_signer_personal', signature, message)
      expectEqual(String(address).toLowerCase(), signer.address.toLowerCase(), 'the signer')
      const raw = await recovered(t, 'ecdsa_recover_signer', signature, hashMessage(message))
      expectEqual(raw, address, 'the signer of the prefixed hash')
    },
  },
  {
    // 1-19: The built-in service.crypto.ecdsa_recover_signer returns the signer of a raw 32-byte
    //   hash.
    id: 'rego.crypto.another-hash',
    title: 'a signature of another hash recovers to another address, or is rejected',
    clauses: ['1-19'],
    level: 'must',
    needs,
    twin: 'the same signature with its own hash',
    run: async (t) => {
      const hash = keccak256(toHex('one'))
      const signature = await signer.sign({ hash })
      await t.twin(async () =>
        expectEqual(
          await recovered(t, 'ecdsa_recover_signer', signature, hash),
          signer.address,
          'the signer',
        ),
      )
      const other = await recovered(t, 'ecdsa_recover_signer', signature, keccak256(toHex('two')))
      expectEqual(other === signer.address, false, 'the same signer')
    },
  },
  // 1-19: The built-in service.crypto.ecdsa_recover_signer returns the signer of a raw 32-byte
  //   hash.
  // 7.3-10: The error for a syntax or runtime error of a policy is "Rego evaluation failed:
  //   {details}".
  refusesSignature('rego.crypto.refused.64-bytes', `0x${'11'.repeat(64)}`, ''),
  refusesSignature('rego.crypto.refused.no-signature', '0x', ''),
  refusesSignature('rego.crypto.refused.no-hex', `0x${'zz'.repeat(65)}`, ''),
  refusesSignature(
    'rego.crypto.refused.a-hash-of-31-bytes',
    '',
    `0x${'11'.repeat(31)}` satisfies Hex,
  ),
  {
    // 1-01: An intent submitted for a policy client is evaluated against that client’s policy.
    // 4.8-11: The answer has success, and evaluation_result on success.
    id: 'rego.deterministic',
    title: 'the same policy, intent and parameters give the same bytes, ten times',
    clauses: ['1-01', '4.8-11'],
    level: 'must',
    needs,
    run: async (t) => {
      const evaluation = await acceptedSimulation(t)
      expectEqual(evaluation.result, true, 'the result')
      const policy = policyOf('deny := []', 'probe := {x | some x in ["b", "a", "c"]}')
      const results = await Promise.all(
        Array.from({ length: 10 }, () => evaluate(t, policy, { entrypoint: 'policy.probe' })),
      )
      for (const result of results) expectEqual(result, ['a', 'b', 'c'], 'the result')
    },
  },
]
