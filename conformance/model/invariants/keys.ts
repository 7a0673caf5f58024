import type { OwnKey } from '../../core/exchange.ts'
import { expectEqual } from '../../core/expect.ts'
import { observed } from '../../kit/assertions/observed.ts'
import { ask } from '../../kit/scenarios/explorer.ts'
import { openSocket } from '../../kit/scenarios/updates.ts'
import { everybody } from '../state.ts'
import type { Invariant } from '../step.ts'
import { type Surfaces, tell } from '../surfaces.ts'

/** Sections 5.1 and 5.6: a rotated or deleted key is invalid on every surface. */
async function expectDead(surfaces: Surfaces, key: OwnKey, explorer: boolean): Promise<void> {
  const { t } = surfaces
  const rpc = await t.gateway.call('getSecretsPublicKey', {}, { key })
  // How soon is open for the gateway (5.1-11).
  observed(t, 'deleted-key-status', 'the HTTP status of a call with a deleted key', rpc.status)
  const opening = await openSocket(t, { headers: { authorization: `Bearer ${key.value}` } })
  if (opening.kind === 'open') await opening.socket.close()
  observed(t, 'deleted-key-websocket', 'a WebSocket with a deleted key', opening.kind)
  if (explorer) expectEqual((await ask(t, '/task', { key })).status, 401, 'the explorer’s status')
  tell(surfaces, `a deleted key: RPC ${rpc.status}, WebSocket ${opening.kind}`)
}

/** Checked once as soon as a value is invalid, and `again` at the end. */
export function deadKeysStayDead(explorer: boolean) {
  const asked = new WeakSet<OwnKey>()
  const each =
    (again: boolean): Invariant =>
    async (_, surfaces) => {
      for (const who of everybody)
        for (const key of surfaces.holders[who].dead) {
          if (asked.has(key) && !again) continue
          await expectDead(surfaces, key, explorer)
          asked.add(key)
        }
    }
  return { atOnce: each(false), again: each(true) }
}

/** A valid key is accepted. */
export const liveKeysWork: Invariant = async (model, { t, holders }) => {
  for (const who of everybody) {
    if (!model.keys[who].live) continue
    const answer = await t.gateway.call('getSecretsPublicKey', {}, { key: holders[who].key })
    expectEqual(answer.status, 200, `the HTTP status of a call with the key ${who}`)
  }
}
