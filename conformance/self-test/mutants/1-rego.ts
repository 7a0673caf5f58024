import { regoFailed } from 'polgate-service/operators/operatorErrors.ts'
import type { PolicyEvaluation } from 'polgate-service/operators/policyEvaluator.ts'
import { keccak256, toHex } from 'viem'
import type { MarkFired, Mutant } from './mutant.ts'
import { evaluator } from './parts.ts'
import type { Json } from './wrappedListeners.ts'

/** The engine gets a changed policy. */
const readsAs = (change: (source: string) => string) => (markFired: MarkFired) =>
  evaluator((evaluation, pass) => {
    const source = change(evaluation.source)
    if (source !== evaluation.source) markFired()
    return pass({ ...evaluation, source })
  })

/** The engine gets a changed `input`. */
const inputAs = (change: (input: Json) => Json) => (markFired: MarkFired) =>
  evaluator((evaluation, pass) => {
    const input = JSON.stringify(change(JSON.parse(evaluation.input)))
    if (input !== evaluation.input) markFired()
    return pass({ ...evaluation, input })
  })

/** The engine lacks a language feature. */
const refuses =
  (when: (evaluation: PolicyEvaluation) => boolean, why: string) => (markFired: MarkFired) =>
    evaluator((evaluation, pass) => {
      if (!when(evaluation)) return pass(evaluation)
      markFired()
      throw regoFailed(why)
    })

const personal = /ecdsa_recover_signer_personal\("([^"]*)", "([^"]*)"\)/g

/** Faults of the policy engine (section 1). */
export const regoMutants: readonly Mutant[] = [
  {
    id: 'rego.version-0',
    fault: 'reads a policy as Rego v0 unless it imports rego.v1',
    clauses: ['1-17'],
    parts: refuses(
      ({ source }) => /\bif\b|\bcontains\b/.test(source) && !source.includes('import rego.v1'),
      'policy.rego: var if is unsafe',
    ),
  },
  {
    id: 'rego.no-regular-expressions',
    fault: 'has no regex functions',
    clauses: ['1-18'],
    parts: refuses(({ source }) => source.includes('regex.'), 'undefined function regex.match'),
  },
  {
    id: 'rego.numbers-are-doubles',
    fault: 'reads the numbers of a policy as doubles',
    clauses: ['1-18'],
    parts: readsAs((source) => source.replace(/\b\d{16,}\b/g, (digits) => String(Number(digits)))),
  },
  {
    id: 'rego.raw-hash-prefixed',
    fault: 'recovers the signer of a raw hash as that of a personal message',
    clauses: ['1-19'],
    parts: readsAs((source) =>
      source.replaceAll('ecdsa_recover_signer(', 'ecdsa_recover_signer_personal('),
    ),
  },
  {
    id: 'rego.personal-prefix-missing',
    fault: 'recovers the signer of a personal message without its prefix',
    clauses: ['1-20'],
    parts: readsAs((source) =>
      source.replaceAll(
        personal,
        (_, signature: string, message: string) =>
          `ecdsa_recover_signer("${signature}", "${keccak256(toHex(message))}")`,
      ),
    ),
  },
  {
    id: 'rego.input-not-decoded',
    fault: 'passes the policy the intent without its decoded function',
    clauses: ['1-21'],
    parts: inputAs(({ function: _, ...input }) => input),
  },
  {
    id: 'rego.input-value-as-hex',
    fault: 'passes the policy value as the hex that was sent',
    clauses: ['1-21'],
    parts: inputAs((input) => ({ ...input, value: toHex(BigInt(input.value)) })),
  },
  {
    id: 'rego.intent-signature-dropped',
    fault: 'does not pass the intent signature to the policy',
    clauses: ['1-22', '4.8-10'],
    parts: inputAs(({ intent_signature: _, ...input }) => input),
  },
  {
    id: 'rego.params-under-a-name',
    fault: 'passes the policy its parameters one level deeper',
    clauses: ['1-23', '4.8-08', '1-02'],
    parts: (markFired) =>
      evaluator((evaluation, pass) => {
        markFired()
        return pass({ ...evaluation, params: `{"params":${evaluation.params}}` })
      }),
  },
  {
    id: 'rego.null-params-undefined',
    fault: 'leaves a reference to a parameter undefined that is null',
    clauses: ['1-23', '4.8-08'],
    parts: readsAs((source) =>
      source.includes(' with ')
        ? source
        : source.replaceAll(
            /\bdata\.params(?:\.\w+|\[\d+\])+/g,
            (reference) => `[x | x := ${reference}; x != null][0]`,
          ),
    ),
  },
  {
    id: 'rego.failed-call-undefined',
    fault: 'takes a call that fails for an undefined value',
    clauses: ['1-18', '7.3-10'],
    parts: readsAs((source) => source.replace(/http\.send\(.*?\)(?=\.)/g, 'input.nothing')),
  },
  {
    id: 'rego.schema-members-ignored',
    fault: 'ignores additionalProperties in a JSON Schema',
    clauses: ['1-18'],
    parts: readsAs((source) => source.replaceAll('"additionalProperties":false', '"title":""')),
  },
  {
    id: 'rego.newer-negation-ignored',
    fault: 'ignores the import of a newer negation, whose body is a set then',
    clauses: ['1-17', '1-18'],
    parts: readsAs((source) =>
      source.includes('import future.keywords.not')
        ? source
            .replace('import future.keywords.not', '')
            .replace(/not (\{.*\})/g, 'count($1) == 0')
        : source,
    ),
  },
  {
    id: 'rego.deny-ignored',
    fault: 'allows regardless of the reasons in deny',
    clauses: ['1-25', '1-26'],
    parts: (markFired) =>
      evaluator(async (evaluation, pass) => {
        const outcome = await pass(evaluation)
        if (outcome.reasons.length === 0 || outcome.result !== 'false') return outcome
        markFired()
        return { ...outcome, result: 'true' }
      }),
  },
  {
    id: 'rego.two-reasons-cancel',
    fault: 'counts the reasons in deny modulo two',
    clauses: ['1-26'],
    parts: (markFired) =>
      evaluator(async (evaluation, pass) => {
        const outcome = await pass(evaluation)
        if (outcome.reasons.length !== 2 || outcome.result !== 'false') return outcome
        markFired()
        return { ...outcome, result: 'true' }
      }),
  },
  {
    id: 'rego.allow-by-default',
    fault: 'allows by default, regardless of the policy’s default',
    clauses: ['1-25', '1-26'],
    parts: readsAs((source) => source.replace('default allow := false', 'default allow := true')),
  },
  {
    id: 'rego.undefined-is-true',
    fault: 'treats an undefined rule as true',
    clauses: ['7.3-11'],
    parts: (markFired) =>
      evaluator((evaluation, pass) =>
        pass(evaluation).catch((error: Error) => {
          if (!error.message.includes('undefined rule')) throw error
          markFired()
          return { result: 'true', reasons: [], wasm: '{}' }
        }),
      ),
  },
  {
    id: 'rego.broken-policy-denies',
    fault: 'treats a policy that cannot be evaluated as a denial',
    clauses: ['7.3-10', '4.8-12'],
    parts: (markFired) =>
      evaluator((evaluation, pass) =>
        pass(evaluation).catch(() => {
          markFired()
          return { result: 'false', reasons: [], wasm: '{}' }
        }),
      ),
  },
]
