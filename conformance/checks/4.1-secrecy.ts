import { fixtureApiKey } from 'polgate-fixtures/host/fixtureHost.ts'
import { containsEncoded } from 'polgate-lib/encodings/containsEncoded.ts'
import type { Answer } from '../core/answer.ts'
import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual, expectThat } from '../core/expect.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import { simulateOracle } from '../kit/scenarios/oracles.ts'
import {
  createTask,
  expectFailure,
  expectPublicKey,
  expectTask,
  rpcBody,
  taskParams,
} from '../kit/scenarios/requests.ts'
import {
  clientWithSecrets,
  expectOracleRun,
  expectPrice,
  expectStored,
  pricedOracle,
  secretsNeeds,
  simulateWithClient,
  storeParams,
  storeSecrets,
  withClientParams,
} from '../kit/scenarios/secrets.ts'
import { expectEvaluation } from '../kit/scenarios/simulation.ts'
import { createTaskSubject } from '../kit/scenarios/subjects.ts'
import { clientWithoutSecrets } from '../kit/scenarios/withoutSecrets.ts'
import { secretsOf } from '../targets/target.ts'

/** Section 4.1-17: what no response may contain. */
function expectNoneIn({ exchange }: Answer, secrets: Readonly<Record<string, string>>): void {
  const name = containsEncoded(exchange.body, Object.entries(secrets))
  expectThat(
    name === undefined,
    'an answer, and what it decodes to',
    'no key and no secret',
    `$${name} in it`,
  )
}

/** Valid and invalid secrets: stored, used, replaced or refused. */
async function uploadAndUse(t: CheckContext): Promise<void> {
  const client = await clientWithSecrets(t)
  const upload = async (secrets: unknown) => storeSecrets(t, await storeParams(t, client, secrets))
  const run = () => simulateWithClient(t, withClientParams(t, client))
  expectPrice(await run())
  const { secrets } = pricedOracle(t)
  expectStored(await upload({ ...secrets, PRICE_API_KEY: t.canary('wrong') }))
  expectOracleRun(await run())
  expectFailure(await upload({ ...secrets, ANOTHER: t.canary('another') }))
  expectFailure(await upload({ PRICE_API_KEY: t.canary('incomplete') }))
}

export const secrecy: readonly Check[] = [
  {
    // 4.1-17: No response contains an API key or another secret.
    id: 'rpc.secrecy.no-key-echoed',
    title: 'no response to a valid, unknown, malformed or unauthorised call contains a key',
    clauses: ['4.1-17'],
    level: 'must',
    needs: ['key:read'],
    run: async (t) => {
      const wrong = 'a-key-that-no-response-contains'
      const answers = await Promise.all([
        t.gateway.call('getSecretsPublicKey', {}),
        t.gateway.send({ body: rpcBody(t, 'noSuchMethod', {}), key: 'read' }),
        t.gateway.send({ body: 'not JSON', key: 'read' }),
        t.gateway.send({
          body: rpcBody(t, 'getSecretsPublicKey', {}),
          key: { header: `Bearer ${wrong}` },
        }),
      ])
      expectPublicKey(answers[0])
      const secrets = { ...secretsOf(t.target), WRONG_KEY: wrong }
      for (const answer of answers) expectNoneIn(answer, secrets)
    },
  },
  {
    // 4.1-17: No response contains an API key or another secret.
    // 5.3-06: Plaintext is never sent over the network: no response holds a secret.
    id: 'rpc.secrecy.no-key-in-any-answer',
    title: 'no response of the whole run, success or error, contains a key or a secret',
    clauses: ['4.1-17', '5.3-06'],
    level: 'must',
    profiles: ['tasks', 'secrets'],
    needs: [...new Set([...createTaskSubject.needs, ...secretsNeeds])],
    exclusive: true,
    run: async (t) => {
      const { policyClient } = await clientWithoutSecrets(t, fixture.priced)
      const answers = await Promise.all([
        createTask(t, taskParams(t)),
        createTask(t, {}),
        simulateOracle(t, fixture.priced),
        simulateOracle(t, fixture.priced, { policy: 'package policy\nallow if {' }),
        simulateOracle(t, fixture.priced, { policy_client: policyClient }),
        t.gateway.send({ body: rpcBody(t, 'noSuchMethod', {}), key: 'read' }),
        t.gateway.send({ body: 'not JSON', key: 'read' }),
        t.gateway.send({
          body: rpcBody(t, 'createTask', {}),
          key: { header: 'Bearer wrong-key-value' },
        }),
      ])
      // Without real responses from a running gateway the absence of leaks proves nothing.
      expectTask(answers[0])
      expectEvaluation(answers[2])
      const secrets = { ...secretsOf(t.target), ORACLE_SECRET: fixtureApiKey }
      for (const answer of answers) expectNoneIn(answer, secrets)
      await uploadAndUse(t)
      expectEqual(t.leaksOfRun(), [], 'secrets found in responses of this run')
    },
  },
]
