import { type Hex, hashMessage, keccak256, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Check } from '../core/check.ts'
import { lastPart } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual } from '../core/expect.ts'
import { expectOperationalFailure, expectResultObject } from '../kit/assertions/expectAnswer.ts'
import { expectHex } from '../kit/assertions/hex.ts'
import {
  acceptedSimulation,
  evaluate,
  expectEvaluation,
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
    expectOperationalFailure(answer, REFUSED)
  },
})

const REFUSED = /^Rego evaluation failed: \S/

/** Two policies that deny. Of the first, a part may be refused instead; either way nothing is allowed. */
const neverAllows = (
  check: Pick<Check, 'id' | 'title' | 'clauses' | 'twin'>,
  policy: string,
  plain: string,
): Check => ({
  ...check,
  level: 'must',
  needs,
  run: async (t) => {
    await t.twin(async () => expectEqual(await evaluate(t, plain), false, 'the result'))
    const answer = await simulatePolicy(t, policy)
    if (expectResultObject(answer).success === false) expectOperationalFailure(answer, REFUSED)
    else expectEqual(expectEvaluation(answer).result, false, 'the result')
  },
})

const DRAFT_4 = 'http://json-schema.org/draft-04/schema#'

/** Documents, none of which its schema matches. */
const unmatched = [
  [{ admin: true }, { $schema: DRAFT_4, properties: { user: {} }, additionalProperties: false }],
  // In draft 4 the keyword `const` has no meaning.
  [{ a: 1 }, { $schema: DRAFT_4, not: { const: 2 } }],
  // The reference is below the part around it that has a name.
  [
    { a: 1 },
    {
      definitions: { amount: { type: 'integer' } },
      properties: {
        a: {
          $id: 'http://schemas.example/text.json',
          definitions: { amount: { type: 'string' } },
          allOf: [{ $ref: '#/definitions/amount' }],
        },
      },
    },
  ],
]

const matching = (pairs: string): string =>
  policyOf(
    `pairs := ${pairs}`,
    'matched contains i if { some i, [document, schema] in pairs; json.match_schema(document, schema)[0] }',
    'deny contains "no schema matches" if count(matched) == 0',
  )

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
      expectHex(address, signer.address, 'the signer')
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
      expectHex(address, signer.address, 'the signer')
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
  neverAllows(
    {
      // 1-18: The policy language supports a subset compatible with OPA v1.2.0.
      // 7.3-10: The error for a syntax or runtime error of a policy is "Rego evaluation failed:
      //   {details}".
      id: 'rego.never-allows.call-that-fails',
      title: 'a denial of what a failed network call says is not lost',
      clauses: ['1-18', '7.3-10'],
      twin: 'the same policy with a value in place of the call',
    },
    policyOf(
      'deny contains "down" if http.send({"method": "get", "url": "http://127.0.0.1:1/"}).status_code != 200',
    ),
    policyOf('deny contains "down" if 0 != 200'),
  ),
  neverAllows(
    {
      // 1-18: The policy language supports a subset compatible with OPA v1.2.0.
      // 7.3-10: The error for a syntax or runtime error of a policy is "Rego evaluation failed:
      //   {details}".
      id: 'rego.never-allows.another-schema',
      title: 'a document that a JSON Schema of OPA refuses matches none',
      clauses: ['1-18', '7.3-10'],
      twin: 'the same policy without schemas',
    },
    matching(JSON.stringify(unmatched)),
    matching('[]'),
  ),
  neverAllows(
    {
      // 1-17: Policies are evaluated as Rego v1.
      // 1-18: The policy language supports a subset compatible with OPA v1.2.0.
      // 7.3-10: The error for a syntax or runtime error of a policy is "Rego evaluation failed:
      //   {details}".
      id: 'rego.never-allows.newer-negation',
      title: 'a negated body of newer Rego is refused or evaluated, not read as a set',
      clauses: ['1-17', '1-18', '7.3-10'],
      twin: 'the same condition in Rego of OPA 1.2',
    },
    policyOf('deny contains "closed" if not { input.value == "open" }').replace(
      'package policy',
      'package policy\n\nimport future.keywords.not',
    ),
    policyOf('deny contains "closed" if not input.value == "open"'),
  ),
  {
    // 1-01: An intent submitted for a policy client is evaluated against that client’s policy.
    // 4.8-11: The answer has success, and evaluation_result on success.
    id: 'rego.deterministic',
    title: 'the same policy, intent and parameters give the same bytes, ten times',
    clauses: ['1-01', '4.8-11'],
    level: 'must',
    profiles: ['simulation'],
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
