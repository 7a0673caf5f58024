import type { Hex } from 'viem'
import type { Answer } from '../core/answer.ts'
import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import type { JsonObject } from '../core/expect.ts'
import { observed } from '../kit/assertions/observed.ts'
import { askTask } from '../kit/scenarios/explorer.ts'
import { shownTask } from '../kit/scenarios/explorerShown.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import { newClientNeeds } from '../kit/scenarios/newClient.ts'
import {
  accountOf,
  blacklistOf,
  kind,
  linkIdentity,
  outcomeOf,
  privateClient,
  privateOutcome,
  privateTask,
  registerIdentity,
  revokeLink,
  sealedFor,
} from '../kit/scenarios/privateData.ts'
import { recipientOf, resultOf } from '../kit/scenarios/requests.ts'
import { confidentialNeeds, freshDomain, identityNeeds } from '../kit/scenarios/sealedData.ts'

/**
 * Section 4.10: policies that decide over sealed data. The specification does not say how; these
 * checks report what a gateway does and judge none but the reference implementation (decisions K12
 * to K15).
 */
const needs = [
  ...new Set([...identityNeeds, ...newClientNeeds, 'sender', `client:${fixture.private}`] as const),
]
const unlisted: Hex = '0x90f79bf6eb2c4f870365e785982e1f101e93b906'

const approved = { status: 'approved', birthdate: '1990-02-28' }

export const privateData: readonly Check[] = [
  {
    // 4.10-43: Whether a policy reads identity data of the signer of an intent.
    // 4.10-44: Whether replaced or revoked identity data is read by the next task.
    id: 'rpc.privateData.identity',
    title: 'a policy decides over the identity of the signer while it is linked to the client',
    clauses: ['4.10-43', '4.10-44'],
    level: 'may',
    profiles: ['tasks', 'private-data'],
    needs: [...needs, 'stranger'],
    exclusive: true,
    run: async (t) => {
      const client = await privateClient(t)
      const domain = freshDomain()
      const decide = (by = client.user) => privateOutcome(t, client, kind.identity, { by })
      await registerIdentity(t, { domain, fields: approved })
      observed(t, 'unlinked', 'a task before the link', await decide())
      await linkIdentity(t, client, domain)
      observed(t, 'linked', 'a task of the linked user', await decide())
      const stranger = await decide(accountOf(t, 'stranger'))
      observed(t, 'another-user', 'a task that somebody else has signed', stranger)
      await registerIdentity(t, { domain, fields: { ...approved, status: 'rejected' } })
      observed(t, 'replaced', 'a task after newer data was registered', await decide())
      await registerIdentity(t, { domain, fields: approved })
      observed(t, 'replaced-again', 'a task after valid data was registered', await decide())
      await revokeLink(t, client, domain)
      observed(t, 'revoked', 'a task after the link was revoked', await decide())
    },
  },
  {
    // 4.10-45: Whether a policy reads the newest confidential data that is granted to its client.
    id: 'rpc.privateData.confidential',
    title: 'a policy decides over the newest list that a provider grants to the client',
    clauses: ['4.10-45'],
    level: 'may',
    profiles: ['tasks', 'private-data'],
    needs: [...new Set([...needs, ...confidentialNeeds])],
    exclusive: true,
    run: async (t) => {
      const client = await privateClient(t)
      const list = blacklistOf(t, client)
      const decide = () => privateOutcome(t, client, kind.confidential)
      await list.register()
      try {
        await list.use()
        await list.publish([recipientOf(t)])
        observed(t, 'not-granted', 'a task before the grant', await decide())
        await list.grant()
        observed(t, 'listed', 'a task to an address of the list', await decide())
        await list.publish([unlisted])
        observed(t, 'new-version', 'the same task under a list without it', await decide())
        await list.revoke()
        observed(t, 'revoked', 'the same task after the grant was revoked', await decide())
      } finally {
        await t.cleanup(list.remove)
      }
    },
  },
  {
    // 4.10-46: Whether a policy reads data that is sealed for one task.
    id: 'rpc.privateData.ephemeral',
    title: 'a policy decides over sealed data of its task, which is sealed to its client',
    clauses: ['4.10-46'],
    level: 'may',
    profiles: ['tasks', 'private-data'],
    needs,
    run: async (t) => {
      const [client, other] = [await privateClient(t), await privateClient(t)]
      const decide = async (to: Hex, amount: number) =>
        await privateOutcome(t, client, kind.ephemeral, {
          ephemeral: { bid: await sealedFor(t, to, { amount }) },
        })
      observed(t, 'enough', 'a bid above the limit', await decide(client.address, 150))
      observed(t, 'too-low', 'a bid below the limit', await decide(client.address, 50))
      const foreign = await decide(other.address, 150)
      observed(t, 'another-client', 'a bid that is sealed to another client', foreign)
      observed(t, 'absent', 'no bid', await privateOutcome(t, client, kind.ephemeral))
    },
  },
  {
    // 4.10-47: Whether plaintext of such data is shown anywhere.
    id: 'rpc.privateData.secrecy',
    title: 'neither answers nor the explorer show sealed data, or the envelope of a task',
    clauses: ['4.10-47'],
    level: 'may',
    needs: [...needs, 'explorer'],
    run: async (t) => {
      const client = await privateClient(t)
      const marker = `plaintext-${freshDomain().slice(2, 18)}`
      const decide = async (data: JsonObject) => {
        const bid = await sealedFor(t, client.address, data)
        return { bid, answer: await privateTask(t, client, kind.ephemeral, { ephemeral: { bid } }) }
      }
      const decided = await decide({ amount: 150, note: marker })
      const failing = await decide({ amount: marker })
      observed(t, 'decision', 'the task with a marker', outcomeOf(decided.answer))
      observed(t, 'malformed', 'the task with a malformed bid', outcomeOf(failing.answer))
      const shown = {
        'the answer': decided.answer.exchange.body,
        'the answer to a task with a malformed bid': failing.answer.exchange.body,
        'the explorer': await explorerText(t, decided.answer),
        'the explorer, of a task with a malformed bid': await explorerText(t, failing.answer),
      }
      const secrets = [marker, ciphertextOf(decided.bid), ciphertextOf(failing.bid)]
      const places = Object.entries(shown).filter(([, text]) =>
        secrets.some((secret) => String(text).includes(secret)),
      )
      observed(
        t,
        'places',
        'where sealed data is shown',
        places.map(([place]) => place),
      )
    },
  },
]

/** What the explorer shows of a task; of one that failed, if it shows it by now: whether it does is open. */
async function explorerText(t: CheckContext, answer: Answer): Promise<string> {
  const { task_id } = (resultOf(answer) ?? {}) as JsonObject
  if (task_id === undefined) return ''
  return outcomeOf(answer) === 'failed'
    ? (await askTask(t, task_id)).exchange.body
    : JSON.stringify(await shownTask(t, task_id))
}

const ciphertextOf = (envelope: string): string => JSON.parse(envelope).ciphertext
