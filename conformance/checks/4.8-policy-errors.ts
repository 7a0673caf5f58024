import type { Check } from '../core/check.ts'
import { expectEqual } from '../core/expect.ts'
import { expectOperationalFailure } from '../kit/assertions/expectAnswer.ts'
import { observed } from '../kit/assertions/observed.ts'
import { transferIntent } from '../kit/scenarios/requests.ts'
import {
  acceptedSimulation,
  allowingPolicy,
  evaluate,
  policyOf,
  simulatePolicy,
} from '../kit/scenarios/simulation.ts'
import { simulatePolicySubject } from '../kit/scenarios/subjects.ts'

/** Sections 4.8 and 7.3: policies that cannot be evaluated. */
const { needs } = simulatePolicySubject

const twin = 'the same simulation with a valid policy'

/** A policy or an entrypoint that cannot be evaluated: HTTP 200, success false, the message. */
const failing = (
  id: string,
  title: string,
  policy: string,
  overrides: Record<string, unknown>,
  clauses: readonly string[],
): Check => ({
  id,
  title,
  clauses: [...clauses, '4.8-12', '7.3-17', '4.1-09'],
  level: 'must',
  needs,
  twin,
  run: async (t) => {
    await t.twin(() => acceptedSimulation(t))
    const answer = await simulatePolicy(t, policy, overrides)
    expectOperationalFailure(answer, /^Rego evaluation failed: \S/)
  },
})

export const policyErrors: readonly Check[] = [
  failing(
    // 7.3-10: The error for a syntax or runtime error of a policy is "Rego evaluation failed:
    //   {details}".
    // 4.8-12: A failure has an error string.
    // 7.3-17: Operational failures of the simulate and store methods are HTTP 200 with success
    //   false.
    // 4.1-09: An operational failure is HTTP 200 with a result whose success is false and whose
    //   error is a message.
    'rpc.simulatePolicy.fails.syntax',
    'a policy that does not parse is reported',
    'package policy\nallow if {',
    {},
    ['7.3-10'],
  ),
  failing('rpc.simulatePolicy.fails.empty', 'an empty policy is reported', '', {}, ['7.3-10']),
  failing(
    'rpc.simulatePolicy.fails.no-rego',
    'a text that is not Rego is reported',
    'return true;',
    {},
    ['7.3-10'],
  ),
  failing(
    // 7.3-11: The error for an undefined rule is "Rego evaluation failed: {details}".
    // 4.8-12: A failure has an error string.
    // 7.3-17: Operational failures of the simulate and store methods are HTTP 200 with success
    //   false.
    // 4.1-09: An operational failure is HTTP 200 with a result whose success is false and whose
    //   error is a message.
    'rpc.simulatePolicy.fails.undefined-rule',
    'an entrypoint without a rule is reported',
    allowingPolicy,
    { entrypoint: 'policy.no_such_rule' },
    ['7.3-11'],
  ),
  failing(
    'rpc.simulatePolicy.fails.undefined-package',
    'an entrypoint in another package is reported',
    allowingPolicy,
    { entrypoint: 'elsewhere.allow' },
    ['7.3-11'],
  ),
  failing(
    // 7.3-10: The error for a syntax or runtime error of a policy is "Rego evaluation failed:
    //   {details}".
    // 4.8-12: A failure has an error string.
    // 7.3-17: Operational failures of the simulate and store methods are HTTP 200 with success
    //   false.
    // 4.1-09: An operational failure is HTTP 200 with a result whose success is false and whose
    //   error is a message.
    'rpc.simulatePolicy.fails.conflict',
    'two values for one rule is a runtime error',
    policyOf('deny := []', 'both := 1 if input.from', 'both := 2 if input.to'),
    { entrypoint: 'policy.both' },
    ['7.3-10'],
  ),
  failing(
    'rpc.simulatePolicy.fails.unsafe',
    'an unsafe variable is refused',
    policyOf('deny contains x if not x == 1'),
    {},
    ['7.3-10'],
  ),
  failing(
    'rpc.simulatePolicy.fails.recursion',
    'a recursive rule is refused',
    policyOf('deny := []', 'a if b', 'b if a'),
    { entrypoint: 'policy.a' },
    ['7.3-10'],
  ),
  failing(
    'rpc.simulatePolicy.fails.unknown-function',
    'a function that does not exist is refused',
    policyOf('deny contains "x" if no_such_function(1)'),
    {},
    ['7.3-10'],
  ),
  {
    // 1-37: The error for a policy that does not terminate.
    id: 'rpc.simulatePolicy.endless',
    title: 'a policy that would run very long ends with an error, and the gateway keeps running',
    clauses: ['1-37'],
    level: 'may',
    needs,
    twin: 'a terminating policy, before and after',
    run: async (t) => {
      await t.twin(() => acceptedSimulation(t))
      const policy = policyOf(
        'r := numbers.range(1, 400)',
        'deny contains "x" if count([1 | some a in r; some b in r; some c in r; some d in r; a + b + c + d == 0]) > 0',
      )
      const { error } = expectOperationalFailure(await simulatePolicy(t, policy), /\S/)
      observed(t, 'error', 'the error', error)
      expectEqual(
        await evaluate(t, allowingPolicy, { intent: transferIntent(t) }),
        true,
        'the result after',
      )
    },
  },
]
