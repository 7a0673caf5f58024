import fc from 'fast-check'
import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual, isObject, type JsonObject } from '../core/expect.ts'
import type { CallOptions } from '../core/gateway.ts'
import { decisionOf } from '../crypto/attestation.ts'
import { seal } from '../crypto/envelope.ts'
import { observed } from '../kit/assertions/observed.ts'
import { checkProperty } from '../kit/assertions/property.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import { stakesOf, withStopped } from '../kit/scenarios/operators.ts'
import { decideWithOracles, simulateOracle } from '../kit/scenarios/oracles.ts'
import {
  expectSteps,
  runProbe,
  secretProbe,
  step,
  stepsOrError,
  tape,
} from '../kit/scenarios/probe.ts'
import {
  bytesGiven,
  clientsOfTwoProbes,
  ownProbeSecrets,
  probeClient,
  probeSecretsNeeds,
  runStored,
  storedBytes,
  storeProbe,
} from '../kit/scenarios/probeSecrets.ts'
import {
  chainIdOf,
  expectFailure,
  expectNoSuccess,
  failureOf,
  resultOf,
} from '../kit/scenarios/requests.ts'
import { expectStored, simulatePolicyData, storeSecrets } from '../kit/scenarios/secrets.ts'
import { expectEvaluation } from '../kit/scenarios/simulation.ts'

/** Sections 1 and 5.3: the secrets that a run gets, byte by byte and for each pair. */
const needs = probeSecretsNeeds

const objectOf = (bytes: Buffer): unknown => JSON.parse(bytes.toString('utf8'))

const tokenOf = (index: number) => `token-of-the-pair-${index}`

/** Text that is valid for NOTE, in any script. */
const note = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((text) => [...text].length <= 64)

export const secretsAtWork: readonly Check[] = [
  {
    // 1-15: The secrets host interface gives the oracle the bytes of its decrypted secrets JSON
    //   object.
    // 5.3-04: Stored secrets are decrypted at evaluation: the oracle of a task reads them.
    // 5.3-07: The oracle reads its secrets through the get() host call.
    // 4.6-04: secrets is optional: base64 of encrypted secrets, used in this run.
    // 1-56: Whether the bytes of the secrets are exactly those that were sealed, white space
    //   included.
    id: 'rpc.secrets.bytes',
    title: 'get() returns the bytes of the sealed object: stored, or sent with the run',
    clauses: ['1-15', '5.3-04', '5.3-07', '4.6-04', '1-56'],
    level: 'must',
    needs: [...needs, 'oracles'],
    run: async (t) => {
      const text = '{ "NOTE" : "\\u00e9 \\/ ü",\n\t"TOKEN":"bytes-of-a-token" }'
      const client = await probeClient(t)
      const secrets = await ownProbeSecrets(t, client, text)
      await storeProbe(t, client, text)
      const stored = await storedBytes(t, client)
      const sent = bytesGiven(
        await simulatePolicyData(t, {
          policy_data_address: secretProbe(t),
          chain_id: chainIdOf(t),
          wasm_args: tape(step.get),
          secrets,
        }),
      )
      for (const [way, bytes] of Object.entries({ stored, sent })) {
        expectEqual(objectOf(bytes), JSON.parse(text), `the object, ${way}`)
        observed(t, 'bytes', `the bytes, ${way}`, bytes.toString(), { sealed: text })
      }
    },
  },
  {
    // 1-15: The secrets host interface gives the oracle the bytes of its decrypted secrets JSON
    //   object.
    // 2.7-08: The oracle reads the secrets by the names under which they were uploaded.
    // 5.3-07: The oracle reads its secrets through the get() host call.
    // 1-16: The secrets call takes no identifiers: client and PolicyData are fixed by the execution
    //   context.
    id: 'rpc.secrets.any-object',
    title: 'any secrets reach the oracle as sealed, and are the same at each call of a run',
    clauses: ['1-15', '2.7-08', '5.3-07', '1-16'],
    level: 'must',
    needs: [...needs, 'oracles'],
    run: async (t) => {
      const client = await probeClient(t)
      const objects = fc.record({ TOKEN: note.map((text) => `${text}--------`), NOTE: note })
      await checkProperty(t, 'objects', objects, { runs: 5 }, async (object) => {
        await storeProbe(t, client, object)
        const twice = expectSteps(await runStored(t, client, [step.get, step.get]))
        const given = twice.map((done) => (done.kind === 'value' ? objectOf(done.value) : done))
        const sealed = { ...object }
        expectEqual(given, [sealed, sealed], 'the results of two calls of a run')
      })
    },
  },
  {
    // 5.3-10: A run reads the secrets of its own client and PolicyData, whatever runs concurrently.
    // 1-16: The secrets call takes no identifiers: client and PolicyData are fixed by the execution
    //   context.
    // 2.7-09: Secrets belong to one policy_data_address: those of another are not used in its
    //   place.
    // 2.7-11: With several oracles the secrets of each are uploaded to its own address.
    id: 'rpc.secrets.by-pair',
    title: 'two clients and two addresses have four sets of secrets; concurrent runs get their own',
    clauses: ['5.3-10', '1-16', '2.7-09', '2.7-11'],
    level: 'must',
    needs: [...needs, 'oracles'],
    run: async (t) => {
      const { clients, addresses } = await clientsOfTwoProbes(t, 2)
      const pairs = clients.flatMap((client) => addresses.map((address) => ({ client, address })))
      for (const [at, { client, address }] of pairs.entries())
        await storeProbe(t, client, { TOKEN: tokenOf(at) }, address)
      const asked = Array.from({ length: 12 }, (_, i) => i % pairs.length)
      const given = await Promise.all(
        asked.map((at) => storedBytes(t, pairs[at]!.client, pairs[at]!.address)),
      )
      expectEqual(
        given.map(objectOf),
        asked.map((at) => ({ TOKEN: tokenOf(at) })),
        'the secrets of the runs',
      )
    },
  },
  {
    // 5.3-10: A run reads the secrets of its own client and PolicyData, whatever runs concurrently.
    // 2.7-11: With several oracles the secrets of each are uploaded to its own address.
    // 4.8-14: Stored secrets are decrypted for the oracles.
    id: 'rpc.secrets.in-a-policy',
    title: 'in a simulated policy each listed oracle gets the secrets of its own address',
    clauses: ['5.3-10', '2.7-11', '4.8-14'],
    level: 'must',
    needs: [...needs, 'sender'],
    run: async (t) => {
      const { clients, addresses } = await clientsOfTwoProbes(t, 1)
      const policy_client = clients[0]!
      for (const [at, address] of addresses.entries())
        await storeProbe(t, policy_client, { TOKEN: tokenOf(at) }, address)
      for (const [at, policy_data_address] of addresses.entries()) {
        const policy_data = [{ policy_data_address, wasm_args: tape(step.get) }]
        const answer = await simulateOracle(t, fixture.probed, { policy_client, policy_data })
        const { wasm } = expectEvaluation(answer).policy_params_and_data as JsonObject
        const [value] = (wasm as { probe: { done: { value?: string }[] } }).probe.done
        const bytes = Buffer.from(String(value?.value), 'hex')
        expectEqual(objectOf(bytes), { TOKEN: tokenOf(at) }, `secrets of address ${at}`)
      }
    },
  },
  {
    // 4.6-15: Whether a simulation opens an envelope that was submitted for storage.
    id: 'rpc.simulatePolicyData.observed.submitted',
    title: 'observed: a stranger simulates with envelopes that an owner submitted for storage',
    clauses: ['4.6-15'],
    level: 'may',
    profiles: ['secrets'],
    needs: [...needs, 'oracles', 'key:stranger'],
    run: async (t) => {
      const client = await probeClient(t)
      const sealed = async (token: string) =>
        Buffer.from(
          await ownProbeSecrets(t, client, { TOKEN: `${token}-token` }),
          'base64',
        ).toString()
      const submit = (envelope: string, options: CallOptions = {}) =>
        storeSecrets(
          t,
          { policy_client: client, policy_data_address: secretProbe(t), envelope },
          options,
        )
      const [replaced, stored, refused] = [
        await sealed('replaced'),
        await sealed('stored'),
        await sealed('refused'),
      ]
      for (const envelope of [replaced, stored]) expectStored(await submit(envelope))
      await submit(refused, { key: 'stranger' })
      const rewritten = JSON.stringify(JSON.parse(stored), null, 2)
      const fresh = await sealed('fresh')
      const opened: string[] = []
      const all = { stored, replaced, refused, rewritten, fresh }
      for (const [which, envelope] of Object.entries(all)) {
        const params = {
          ...{ policy_data_address: secretProbe(t), chain_id: chainIdOf(t) },
          ...{ wasm_args: tape(step.get), secrets: Buffer.from(envelope).toString('base64') },
        }
        const answer = await simulatePolicyData(t, params, { key: 'stranger' })
        if (failureOf(answer) === undefined && expectSteps(answer)[0]?.kind === 'value')
          opened.push(which)
      }
      observed(t, 'opened', 'the envelopes that a simulation of a stranger opens', opened)
    },
  },
  {
    // 1-55: What the secrets call returns in a run without secrets.
    id: 'rpc.secrets.observed.none',
    title: 'observed: get() of a run that has no secrets',
    clauses: ['1-55'],
    level: 'may',
    needs: [...needs, 'oracles'],
    run: async (t) => {
      const done = stepsOrError(await runProbe(t, step.get))
      const ended = typeof done === 'string'
      observed(t, 'get', 'the result of get()', ended ? 'the end of the run' : done[0]?.kind)
      t.observe(`its words: ${JSON.stringify(done)}`)
    },
  },
  {
    // 4.10-34: Oracle secrets sealed to another key do not decrypt.
    // 5.3-02: Secrets are sealed to the key from getSecretsPublicKey.
    // 4.5-09: The envelope is decrypted and its plaintext validated; an envelope that does not
    //   decrypt is refused.
    id: 'rpc.secrets.privacy-key',
    title: 'secrets sealed to the privacy key do not open if it is a different key',
    clauses: ['4.10-34', '5.3-02', '4.5-09'],
    level: 'must',
    profiles: ['secrets', 'private-data'],
    needs,
    twin: 'the same secrets sealed to the secrets key',
    run: async (t) => {
      const client = await probeClient(t)
      await t.twin(() => storeProbe(t, client, { TOKEN: t.canary('right') }))
      const keyOf = async (method: string) => {
        const result = resultOf(await t.gateway.call(method, {}))
        if (!isObject(result)) return undefined
        // The letter case and the prefix are open (clause 4.10-06).
        return String(result.public_key).toLowerCase().replace(/^0x/, '')
      }
      const recipient = await keyOf('getPrivacyPublicKey')
      if (recipient === undefined || recipient === (await keyOf('getSecretsPublicKey')))
        return t.observe('the privacy key is not served, or is the secrets key')
      const sealed = await seal({
        plaintext: '{"TOKEN":"sealed-to-the-privacy-key"}',
        policyClient: client,
        chainId: chainIdOf(t),
        recipient,
      })
      const answer = await storeSecrets(t, {
        policy_client: client,
        policy_data_address: secretProbe(t),
        envelope: JSON.stringify(sealed),
      })
      t.observe(`sealed to the privacy key: ${expectFailure(answer)}`)
    },
  },
  {
    // 5.3-04: Stored secrets are decrypted at evaluation: the oracle of a task reads them.
    id: 'rpc.secrets.after-restart',
    title: 'restarted operators open the secrets stored before',
    clauses: ['5.3-04'],
    level: 'must',
    profiles: ['tasks', 'secrets'],
    needs: [...needs, 'sender', 'operator-control', 'operators'],
    exclusive: true,
    twin: 'the same task before they were stopped',
    run: async (t) => {
      const policy_client = await probeClient(t)
      await storeProbe(t, policy_client, { TOKEN: 'kept-over-a-restart' })
      await t.twin(() => expectTaken(t, policy_client))
      await withStopped(
        t,
        stakesOf(t).map((_, i) => i),
        async () => {
          const answer = await runStored(t, policy_client, [step.get])
          expectNoSuccess(answer)
        },
      )
      await expectTaken(t, policy_client)
      expectEqual(
        objectOf(await storedBytes(t, policy_client)),
        { TOKEN: 'kept-over-a-restart' },
        'the stored secrets',
      )
    },
  },
]

/** The policy allows if the probe's call of get() returned bytes. */
async function expectTaken(t: CheckContext, policy_client: string): Promise<void> {
  const change = { policy_client, wasm_args: tape(step.get) }
  const { evaluationResult } = await decideWithOracles(t, fixture.probed, change)
  expectEqual(decisionOf(evaluationResult), true, 'the decision')
}
