import { toHex } from 'viem'
import { decided } from '../lab/decided.ts'
import { fixture } from '../lab/fixtures.ts'
import { freshClient } from '../lab/freshClient.ts'
import { failureOf } from '../lab/requests.ts'
import {
  acceptedSecrets,
  pricedOracle,
  sealedFor,
  secretsNeeds,
  simulatePolicyData,
  storeParams,
  storeSecrets,
} from '../lab/secrets.ts'
import { simulatePolicyDataSubject } from '../lab/secretsSubjects.ts'
import { allowingPolicy, simulatePolicy } from '../lab/simulation.ts'
import { simulatePolicySubject } from '../lab/subjects.ts'
import type { Check } from '../runner/check.ts'
import type { CheckContext } from '../runner/context.ts'
import { expectThat } from '../runner/expect.ts'
import type { Answer } from '../wire/answer.ts'

/** Section 8: size limits without a number in the specification. Decided limits have one. */
const kib = 1024

const observedSize = (
  name: string,
  clause: string,
  limit: number,
  needs: Check['needs'],
  accepted: (t: CheckContext) => Promise<unknown>,
  send: (t: CheckContext, bytes: number) => Promise<Answer>,
): Check => ({
  id: `rpc.size.observed.${name}`,
  title: `observed: ${name.replaceAll('-', ' ')} of ${limit / kib} KiB, of one byte more, of a mebibyte`,
  clauses: [clause],
  level: 'may',
  needs,
  run: async (t) => {
    await accepted(t)
    for (const [bytes, fits] of [
      [limit, true],
      [limit + 1, false],
      [kib * kib, false],
    ] as const) {
      const answer = await send(t, bytes)
      expectThat(answer.status < 500, 'the HTTP status', 'below 500', answer.status)
      const failure = failureOf(answer)
      decided(
        t,
        (failure === undefined) === fits,
        `${name} of ${bytes} bytes`,
        fits ? 'taken' : 'refused',
        failure?.slice(0, 120) ?? 'taken',
      )
    }
  },
})

/** A JSON object of exactly this many bytes. */
const inputOf = (bytes: number): string => `{"pad":"${'x'.repeat(bytes - 10)}"}`

/** A policy of exactly this many bytes: the allowing one and a comment. */
const policyOfSize = (bytes: number): string => {
  const text = `${allowingPolicy}# `
  return `${text}${'x'.repeat(bytes - text.length)}`
}

/** Valid secrets whose JSON has exactly this many bytes. */
const secretsOfSize = (t: CheckContext, bytes: number): string => {
  const { secrets } = pricedOracle(t)
  const short = JSON.stringify({ ...secrets, PRICE_API_KEY: '' })
  return JSON.stringify({ ...secrets, PRICE_API_KEY: 'x'.repeat(bytes - short.length) })
}

export const sizes: readonly Check[] = [
  observedSize(
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
  observedSize('secrets', '8-14', 64 * kib, secretsNeeds, acceptedSecrets, async (t, bytes) => {
    const client = await freshClient(t)
    return storeSecrets(t, await storeParams(t, client, secretsOfSize(t, bytes)))
  }),
  observedSize(
    'an-envelope',
    '8-13',
    256 * kib,
    secretsNeeds,
    acceptedSecrets,
    async (t, bytes) => {
      const client = await freshClient(t)
      const right = JSON.stringify(await sealedFor(t, client, pricedOracle(t).secrets))
      // White space in JSON: the same envelope, longer.
      const envelope = `${right}${' '.repeat(bytes - right.length)}`
      return storeSecrets(t, { ...(await storeParams(t, client)), envelope })
    },
  ),
  observedSize(
    'a-policy',
    '8-15',
    512 * kib,
    [...simulatePolicySubject.needs, `client:${fixture.simple}`],
    simulatePolicySubject.accepted,
    (t, bytes) => simulatePolicy(t, policyOfSize(bytes)),
  ),
]
