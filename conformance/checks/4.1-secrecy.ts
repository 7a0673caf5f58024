import { fixtureApiKey } from '../../fixtures/host/fixtureHost.ts'
import { fixture } from '../lab/fixtures.ts'
import { simulateOracle } from '../lab/oracles.ts'
import { createTask, expectTask, rpcBody, taskParams } from '../lab/requests.ts'
import { expectEvaluation } from '../lab/simulation.ts'
import { createTaskSubject } from '../lab/subjects.ts'
import type { Check } from '../runner/check.ts'
import { expectEqual, expectThat } from '../runner/expect.ts'
import { secretsOf } from '../targets/target.ts'

/** Section 4.1-17: what never stands in an answer. */
export const secrecy: readonly Check[] = [
  {
    id: 'rpc.secrecy.no-key-in-any-answer',
    title: 'no answer of the whole run, right or wrong, holds a key or a secret',
    clauses: ['4.1-17'],
    level: 'must',
    needs: [...createTaskSubject.needs, 'fixture-host', `client:${fixture.priced}`],
    exclusive: true,
    run: async (t) => {
      const answers = await Promise.all([
        createTask(t, taskParams(t)),
        createTask(t, {}),
        simulateOracle(t, fixture.priced),
        simulateOracle(t, fixture.priced, { policy: 'package policy\nallow if {' }),
        simulateOracle(t, fixture.withoutSecrets),
        t.gateway.send({ body: rpcBody(t, 'noSuchMethod', {}), key: 'read' }),
        t.gateway.send({ body: 'not JSON', key: 'read' }),
        t.gateway.send({
          body: rpcBody(t, 'createTask', {}),
          key: { header: 'Bearer wrong-key-value' },
        }),
      ])
      // Answers of a gateway at work, or their silence says nothing.
      expectTask(answers[0])
      expectEvaluation(answers[2])
      const secrets = { ...secretsOf(t.target), ORACLE_SECRET: fixtureApiKey }
      for (const answer of answers)
        for (const [name, secret] of Object.entries(secrets))
          expectThat(
            !answer.exchange.body.includes(secret),
            'an answer',
            `no ${name}`,
            `$${name} in it`,
          )
      expectEqual(t.leaks(), [], 'secrets seen in answers of this run')
    },
  },
]
