import type { Hex } from 'viem'
import type { Answer } from '../core/answer.ts'
import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { expectThat } from '../core/expect.ts'
import { observed } from '../kit/assertions/observed.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import { simulateOracle } from '../kit/scenarios/oracles.ts'
import { type Step, secretProbe, step, tape } from '../kit/scenarios/probe.ts'
import {
  ownProbeSecrets,
  probeClient,
  probeSecretsNeeds,
  runStored,
  storeProbe,
} from '../kit/scenarios/probeSecrets.ts'
import {
  chainIdOf,
  createTask,
  expectNoSuccess,
  failureOf,
  taskParams,
} from '../kit/scenarios/requests.ts'
import { simulatePolicyData } from '../kit/scenarios/secrets.ts'
import {
  endOf,
  expectSent,
  sendTask,
  subscribe,
  topicOf,
  withSocket,
} from '../kit/scenarios/updates.ts'
import { expectDeliveries, webhookNeeds, withWebhook } from '../kit/scenarios/webhooks.ts'

/** Section 5.3: an oracle with secrets in its error, on every surface that shows the error. */
const needs = [...probeSecretsNeeds, 'sender'] as const
const twin = 'the same run with an error that contains no secret, which is shown'

/** All its encodings differ: base64 contains a plus and a slash. */
const secret = 'pa55/word+of~"the"?suite ~~é>?ÿ='
const bytes = Buffer.from(secret)

/** Encodings of a secret. */
const forms = {
  'in plain text': secret,
  'as in JSON': JSON.stringify(secret).slice(1, -1),
  'in base64': bytes.toString('base64'),
  'in base64 for URLs': bytes.toString('base64url'),
  'in hex': bytes.toString('hex'),
  'in a URL': encodeURIComponent(secret),
} as const

/** Further encodings: recorded, not judged. */
const further = {
  'in upper-case hex': forms['in hex'].toUpperCase(),
  'in a URL with lower-case escapes': forms['in a URL'].toLowerCase(),
  'in a form': new URLSearchParams({ s: secret }).toString().slice(2),
  'in base64 behind a user name': Buffer.from(`u:${secret}}`).toString('base64'),
} as const

/** The error of an oracle with its secret in every encoding, and a word that may be shown. */
const telling: Step = step.err(
  [`told-by-the-oracle`, ...Object.values(forms), ...Object.values(further)].join(' | '),
)

/** Every surface that shows an oracle's error, as text. */
type Way = {
  readonly id: string
  readonly title: string
  readonly more?: Check['needs']
  /** Where its needs do not imply them. */
  readonly profiles?: Check['profiles']
  readonly text: (t: CheckContext, client: Hex, wasm_args: Hex) => Promise<string>
}

function textOf(answer: Answer): string {
  // As parsed from JSON, and as raw text.
  return `${expectNoSuccess(answer)} ${answer.exchange.body}}`
}

const ways: readonly Way[] = [
  {
    // 5.3-08: No error on any channel reveals the plaintext that its oracle or its upload held.
    // 5.3-06: Plaintext is never sent over the network: no response holds a secret.
    // 5.3-09: Whether encoded forms of a secret are redacted from errors.
    // 7.3-09: The error of a failing oracle is "WASM execution failed: {details}".
    id: 'rpc.secrets.error.with-client',
    title: 'simulatePolicyDataWithClient',
    text: async (t, client, wasm_args) =>
      textOf(
        await t.gateway.call('simulatePolicyDataWithClient', {
          policy_client: client,
          policy_data_address: secretProbe(t),
          wasm_args,
        }),
      ),
  },
  {
    // 5.3-08: No error on any channel reveals the plaintext that its oracle or its upload held.
    // 5.3-06: Plaintext is never sent over the network: no response holds a secret.
    // 5.3-09: Whether encoded forms of a secret are redacted from errors.
    // 7.3-09: The error of a failing oracle is "WASM execution failed: {details}".
    id: 'rpc.secrets.error.own-secrets',
    title: 'simulatePolicyData with secrets of the caller',
    text: async (t, client, wasm_args) =>
      textOf(
        await simulatePolicyData(t, {
          policy_data_address: secretProbe(t),
          chain_id: chainIdOf(t),
          secrets: await ownProbeSecrets(t, client, { TOKEN: secret }),
          wasm_args,
        }),
      ),
  },
  {
    // 5.3-08: No error on any channel reveals the plaintext that its oracle or its upload held.
    // 5.3-06: Plaintext is never sent over the network: no response holds a secret.
    // 5.3-09: Whether encoded forms of a secret are redacted from errors.
    // 7.3-09: The error of a failing oracle is "WASM execution failed: {details}".
    id: 'rpc.secrets.error.policy',
    title: 'simulatePolicy',
    text: async (t, policy_client, wasm_args) => {
      const policy_data = [{ policy_data_address: secretProbe(t), wasm_args }]
      return textOf(await simulateOracle(t, fixture.probed, { policy_client, policy_data }))
    },
  },
  {
    id: 'rpc.secrets.error.task',
    title: 'createTask, with the errors of its operators',
    profiles: ['tasks', 'secrets'],
    text: async (t, policy_client, wasm_args) =>
      textOf(await createTask(t, taskParams(t, fixture.probed, { policy_client, wasm_args }))),
  },
  {
    id: 'rpc.secrets.error.notified',
    title: 'sendTask, on the WebSocket and in the webhook',
    more: [...webhookNeeds, 'websocket'],
    text: (t, policy_client, wasm_args) =>
      withWebhook(t, {}, ({ key, box }) =>
        withSocket(
          t,
          async (socket) => {
            const params = taskParams(t, fixture.probed, { policy_client, wasm_args })
            const taskId = expectSent(await sendTask(t, params, { key }))
            subscribe(socket, topicOf(t, taskId))
            await endOf(socket, taskId)
            const [delivery] = await expectDeliveries(box, 1)
            const frames = socket.frames.map(({ json }) => JSON.stringify(json))
            return [...frames, delivery!.body.toString()].join('\n')
          },
          key,
        ),
      ),
  },
]

/** A client whose stored secret is that of this file, once per run. */
const tellingClient = (t: CheckContext): Promise<Hex> =>
  t.once('client whose oracle tells', async () => {
    const client = await probeClient(t)
    await storeProbe(t, client, { TOKEN: secret })
    return client
  })

const untold = ({ id, title, more = [], profiles, text }: Way): Check => ({
  id,
  title: `an oracle’s error is shown by ${title}, without its secret`,
  clauses: ['5.3-08', '5.3-06', '5.3-09', '7.3-09'],
  level: 'must',
  ...(profiles && { profiles }),
  needs: [...new Set([...needs, ...more])],
  twin,
  run: async (t) => {
    const client = await tellingClient(t)
    await t.twin(async () => {
      const harmless = await text(t, client, tape(step.err('told-by-the-oracle')))
      expectThat(
        /WASM execution failed/.test(harmless),
        'the error',
        'the error of section 7.3',
        harmless,
      )
    })
    const told = await text(t, client, tape(telling))
    expectThat(/WASM execution failed/.test(told), 'the error', 'the error of section 7.3', told)
    for (const form of ['in plain text', 'as in JSON'] as const)
      expectThat(!told.includes(forms[form]), 'the error', `no secret ${form}`, told)
    const encoded = Object.entries(forms).filter(([, form]) => told.includes(form))
    observed(
      t,
      'forms',
      'encodings of the secret that are shown',
      encoded.map(([form]) => form),
    )
    const beyond = Object.entries(further).filter(([, form]) => told.includes(form))
    t.observe(
      `shown by ${title}: ${beyond.map(([form]) => form).join(', ') || 'no further encoding'}`,
    )
  },
})

export const secretsInErrors: readonly Check[] = [
  ...ways.map(untold),
  {
    // 5.3-08: No error on any channel reveals the plaintext that its oracle or its upload held.
    // 1-53: The error for output that is not a JSON object.
    id: 'rpc.secrets.error.no-json',
    title: 'output that is not JSON is not quoted: it may contain the secret',
    clauses: ['5.3-08', '1-53'],
    level: 'must',
    needs,
    twin: 'the same run with output that is JSON',
    run: async (t) => {
      const client = await tellingClient(t)
      const say = (text: string) => runStored(t, client, [step.say(text)])
      await t.twin(async () => {
        const failure = failureOf(await say('{"probe":{"told":true}}'))
        expectThat(failure === undefined, 'a run that returns JSON', 'success', failure)
      })
      for (const text of [secret, `{"probe":"${secret}}`, `[${JSON.stringify(secret)}]`]) {
        const told = textOf(await say(text))
        expectThat(!told.includes(secret), 'the error', 'no secret', told)
      }
    },
  },
  {
    // 5.3-11: Whether secrets of a few characters are redacted from errors.
    id: 'rpc.secrets.error.observed.short',
    title: 'observed: an error that contains a secret of two characters',
    clauses: ['5.3-11'],
    level: 'may',
    needs,
    run: async (t) => {
      const client = await probeClient(t)
      await storeProbe(t, client, { TOKEN: 'a-token-that-is-long', NOTE: 'q7' })
      const failure = failureOf(await runStored(t, client, [step.err('the note is q7, I say')]))
      observed(t, 'error', 'the error', failure)
    },
  },
]
