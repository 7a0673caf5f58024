import type { Check } from '../core/check.ts'
import { ConformanceError } from '../core/conformanceError.ts'
import type { CheckContext } from '../core/context.ts'
import { type MalformedCase, malformed, matrix } from '../kit/matrix/matrix.ts'
import { type Parameter, parameters } from '../kit/matrix/parameters.ts'
import { expectInvalidParams, type Subject } from '../kit/scenarios/refusedMember.ts'
import {
  getConfidentialSubject,
  getIdentitySubject,
  uploadConfidentialSubject,
  uploadIdentitySubject,
} from '../kit/scenarios/sealedDataSubjects.ts'
import {
  simulatePolicyDataSubject,
  simulateWithClientSubject,
  storeSecretsSubject,
} from '../kit/scenarios/secretsSubjects.ts'
import {
  createTaskSubject,
  sendTaskSubject,
  simulatePolicySubject,
  simulateTaskSubject,
} from '../kit/scenarios/subjects.ts'
import { registerWebhookSubject } from '../kit/scenarios/webhookSubject.ts'

/**
 * Section 4: every parameter of every method refuses what section 2.1 and its type exclude. A check for
 * each parameter; its values are those of the matrix of method, parameter and rule. By default each two
 * of the three are tried together at least once; a run with the full matrix tries all.
 */
const subjects = new Map(
  [
    createTaskSubject,
    sendTaskSubject,
    simulateTaskSubject,
    simulatePolicySubject,
    storeSecretsSubject,
    simulatePolicyDataSubject,
    simulateWithClientSubject,
    registerWebhookSubject,
    uploadIdentitySubject,
    getIdentitySubject,
    uploadConfidentialSubject,
    getConfidentialSubject,
  ].map((subject) => [subject.method, subject]),
)

/** The refusal of one case; a failure names the rule and its clause. */
async function expectRefusal(
  t: CheckContext,
  { method, key = 'read' }: Subject,
  valid: Record<string, unknown>,
  each: MalformedCase,
): Promise<void> {
  const { parameter, rule } = each
  const answer = await t.gateway.call(method, malformed(valid, each), { key })
  try {
    expectInvalidParams(answer)
  } catch (error) {
    if (!(error instanceof ConformanceError)) throw error
    t.cases.failed()
    const value = JSON.stringify(rule.value) ?? 'absent'
    const clause = rule.clause ?? parameter.clause
    throw new ConformanceError(
      `${parameter.path} with ${rule.fault} (${value}; clause ${clause}): ${error.message}`,
      { expected: error.expected, observed: error.observed },
    )
  }
}

function checkOf(parameter: Parameter, cases: readonly MalformedCase[]): Check {
  const { method, path, clause } = parameter
  const subject = subjects.get(method)
  if (subject === undefined) throw new Error(`no valid params of ${method} are known`)
  const broken = cases.flatMap(({ rule }) => rule.clause ?? [])
  return {
    id: `rpc.matrix.${method}.${path.replaceAll('[]', '').replaceAll('_', '-')}`,
    title: `${method} refuses every malformed ${path}`,
    clauses: [...new Set([clause, ...broken, '7.1-04', '7.3-02'])],
    level: 'must',
    needs: subject.needs,
    twin: subject.twin,
    run: async (t) => {
      await t.twin(() => subject.accepted(t))
      const valid = await subject.params(t)
      const tried = cases.filter(({ sampled }) => sampled || t.fullMatrix)
      for (const each of tried) {
        t.cases.begins()
        await expectRefusal(t, subject, valid, each)
      }
      t.covered({ tried: tried.length, of: cases.length })
    },
  }
}

export const parameterMatrix: readonly Check[] = parameters.map((parameter) =>
  checkOf(
    parameter,
    matrix.filter((each) => each.parameter === parameter),
  ),
)
