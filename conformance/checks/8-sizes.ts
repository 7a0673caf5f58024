import { toHex } from 'viem'
import type { Answer } from '../core/answer.ts'
import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { expectThat } from '../core/expect.ts'
import { observed } from '../kit/assertions/observed.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import { newClient } from '../kit/scenarios/newClient.ts'
import { failureOf } from '../kit/scenarios/requests.ts'
import {
  acceptedSecrets,
  pricedOracle,
  sealedFor,
  secretsNeeds,
  simulatePolicyData,
  storeParams,
  storeSecrets,
} from '../kit/scenarios/secrets.ts'
import { simulatePolicyDataSubject } from '../kit/scenarios/secretsSubjects.ts'
import { allowingPolicy, simulatePolicy } from '../kit/scenarios/simulation.ts'
import { simulatePolicySubject } from '../kit/scenarios/subjects.ts'

/** Section 8: size limits without a number in the specification. Decided limits have one. */
const kib = 1024

const observedSize = (
  id: string,
  name: string,
  clause: string,
  limit: number,
  needs: Check['needs'],
  accepted: (t: CheckContext) => Promise<unknown>,
  send: (t: CheckContext, bytes: number) => Promise<Answer>,
): Check => ({
  id,
  title: `observed: ${name.replaceAll('-', ' ')} of ${limit / kib} KiB, of one byte more, of a mebibyte`,
  clauses: [clause],
  level: 'may',
  needs,
  run: async (t) => {
    await accepted(t)
    for (const bytes of [limit, limit + 1, kib * kib]) {
      const answer = await send(t, bytes)
      expectThat(answer.status < 500, 'the HTTP status', 'below 500', answer.status)
      const failure = failureOf(answer)
      observed(t, 'answer', `${name} of ${bytes} bytes`, failure?.slice(0, 120) ?? 'taken', {
        bytes,
      })
    }
  },
})

/** A JSON object of exactly this many bytes. */
const inputOf = (bytes: number): string => `{"pad":"${'x'.repeat(bytes - 10)}"}`

/** A policy of exactly this many bytes: the allowing one and a comment. */
function policyOfSize(bytes: number): string {
  const text = `${allowingPolicy}# `
  return `${text}${'x'.repeat(bytes - text.length)}`
}

/** Valid secrets whose JSON has exactly this many bytes. */
function secretsOfSize(t: CheckContext, bytes: number): string {
  const { secrets } = pricedOracle(t)
  const short = JSON.stringify({ ...secrets, PRICE_API_KEY: '' })
  return JSON.stringify({ ...secrets, PRICE_API_KEY: 'x'.repeat(bytes - short.length) })
}

export const sizes: readonly Check[] = [
  observedSize(
    // 8-12: The maximum size of wasm_args.
    'rpc.size.observed.wasm-args',
    'wasm-args',
    '8-12',
    64 * kib,
    simulatePolicyDataSubject.needs,
    simulatePolicyDataSubject.accepted,
    async (t, bytes) => {
      const params = await simulatePolicyDataSubject.params(t)
      return simulatePolicyData(t, { ...params, wasm_args: toHex(inputOf(bytes)) })
    },
  ),
  observedSize(
    // 8-14: The maximum size of secrets.
    'rpc.size.observed.secrets',
    'secrets',
    '8-14',
    64 * kib,
    secretsNeeds,
    acceptedSecrets,
    async (t, bytes) => {
      const client = await newClient(t)
      return storeSecrets(t, await storeParams(t, client, secretsOfSize(t, bytes)))
    },
  ),
  observedSize(
    // 8-13: The maximum size of an envelope.
    'rpc.size.observed.an-envelope',
    'an-envelope',
    '8-13',
    256 * kib,
    secretsNeeds,
    acceptedSecrets,
    async (t, bytes) => {
      const client = await newClient(t)
      const right = JSON.stringify(await sealedFor(t, client, pricedOracle(t).secrets))
      // White space in JSON: the same envelope, longer.
      const envelope = `${right}${' '.repeat(bytes - right.length)}`
      return storeSecrets(t, { ...(await storeParams(t, client)), envelope })
    },
  ),
  observedSize(
    // 8-15: The maximum size of a policy.
    'rpc.size.observed.a-policy',
    'a-policy',
    '8-15',
    512 * kib,
    [...simulatePolicySubject.needs, `client:${fixture.simple}`],
    simulatePolicySubject.accepted,
    (t, bytes) => simulatePolicy(t, policyOfSize(bytes)),
  ),
]
