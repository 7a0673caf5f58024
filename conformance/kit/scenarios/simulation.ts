import type { Answer } from '../../core/answer.ts'
import type { CheckContext } from '../../core/context.ts'
import { expectObject, type JsonObject } from '../../core/expect.ts'
import type { CallOptions } from '../../core/gateway.ts'
import { expectSuccess } from '../assertions/expectAnswer.ts'
import { fixture } from './fixtures.ts'
import { transferIntent } from './requests.ts'

/** A policy in the conventional form of section 1 with these rules. */
export const policyOf = (...rules: readonly string[]): string =>
  [
    'package policy',
    '',
    'default allow := false',
    'allow if count(deny) == 0',
    '',
    ...rules,
    '',
  ].join('\n')

/** Allows every request; its deny set is empty but defined. */
export const allowingPolicy = policyOf('deny contains "never" if 1 == 2')

/** Params of a simulation that needs no oracle. */
export const simulationParams = (
  t: CheckContext,
  policy: string,
  overrides: Record<string, unknown> = {},
): Record<string, unknown> => ({
  policy_client: t.client(fixture.simple).policyClient,
  policy,
  intent: transferIntent(t),
  policy_data: [],
  ...overrides,
})

export const simulatePolicy = (
  t: CheckContext,
  policy: string,
  overrides: Record<string, unknown> = {},
  options?: CallOptions,
): Promise<Answer> =>
  t.gateway.call('simulatePolicy', simulationParams(t, policy, overrides), options)

/** The `evaluation_result` of a simulation that must succeed. */
export function expectEvaluation(answer: Answer): JsonObject {
  const result = expectSuccess(answer, 'the end of the simulation')
  expectObject(result.evaluation_result, 'evaluation_result')
  return result.evaluation_result
}

/** The result of evaluating a policy. */
export const evaluate = async (
  t: CheckContext,
  policy: string,
  overrides: Record<string, unknown> = {},
): Promise<unknown> => expectEvaluation(await simulatePolicy(t, policy, overrides)).result

/** One accepted simulation for all checks that expect a refusal. */
export const acceptedSimulation = async (t: CheckContext): Promise<JsonObject> =>
  expectEvaluation(
    await t.once('accepted simulation', (gateway) =>
      gateway.call('simulatePolicy', simulationParams(t, allowingPolicy)),
    ),
  )
