import type { Hex } from 'viem'
import { Untestable } from '../core/conformanceError.ts'
import type { CheckContext } from '../core/context.ts'
import type { OwnKey } from '../core/exchange.ts'
import type { JsonObject } from '../core/expect.ts'
import { deleteKey, type MadeKey, makeKey } from '../kit/scenarios/controlListener.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import { newClient } from '../kit/scenarios/newClient.ts'
import { stakesOf } from '../kit/scenarios/operators.ts'
import { type CallKey, withOwnKey } from '../kit/scenarios/ownKey.ts'
import { type Box, clearShared, unregisterWebhook, withMailbox } from '../kit/scenarios/webhooks.ts'
import { closeFollower, type Follower, openFollower } from './follower.ts'
import { accountOf, everybody, freshModel, type Model, type Side } from './state.ts'

/** Resources of one actor. */
export type Holder = {
  key: CallKey
  /** The id of the key, if it was created for the sequence. */
  id: string | undefined
  /** Values that were rotated or deleted. */
  readonly dead: OwnKey[]
  /** Receives failures while a webhook is registered. */
  readonly box: Box | undefined
  /** Follows every task of the key from its submission. */
  witness: Follower
  /** Follows the tasks that the sequence subscribes to. */
  reader: Follower
  /** Further connections, most of them of deleted keys: their frames still count. */
  readonly former: Follower[]
}

/** What was seen of one task so far. */
export type SeenTask = {
  readonly taskId: string
  readonly by: Side
  /** The result of createTask, or of the last update; undefined before either. */
  result: JsonObject | undefined
  readonly sender: Hex
  /** The last row in the explorer. */
  row: JsonObject | undefined
  /** All surfaces have reported its end, and nothing more is expected. */
  settled: boolean
}

/** Every surface of the target, and all observations there. */
export type Surfaces = {
  readonly t: CheckContext
  readonly holders: Record<Side, Holder>
  /** Only this sequence creates its tasks. */
  readonly client: Hex
  /** The client with changing owner and stored secrets; deployed on demand. */
  readonly owned: () => Promise<Hex>
  readonly tasks: SeenTask[]
  readonly story: string[]
}

/** Records an observation with the current step. */
export function tell({ story }: Surfaces, what: string): void {
  const at = story.length - 1
  if (at >= 0) story[at] += `\n      ${what}`
}

export type SurfaceOptions = { readonly webhooks: boolean; readonly keys: boolean }

type Held = { readonly key: CallKey; readonly id: string | undefined }

const account = (t: CheckContext, who: Side) => t.target.accounts?.[accountOf[who]]?.address

export function makeKeyOf(t: CheckContext, who: Side): Promise<MadeKey> {
  const owner = account(t, who)
  return makeKey(t, ['rpc'], owner === undefined ? [] : [owner])
}

/** A key that is deleted with the sequence, or one of the target's with exclusive use. */
async function withKey<T>(
  t: CheckContext,
  who: Side,
  made: boolean,
  run: (held: Held) => Promise<T>,
): Promise<T> {
  if (!made)
    return withOwnKey(t, (key) => run({ key, id: undefined }), who === 'mine' ? 'rpc' : 'stranger')
  const { key, id } = await makeKeyOf(t, who)
  return run({ key, id })
}

const withBox = <T>(
  t: CheckContext,
  wanted: boolean,
  run: (box: Box | undefined) => Promise<T>,
): Promise<T> => (wanted ? withMailbox(t, [200], run) : run(undefined))

const withHolder = <T>(
  t: CheckContext,
  who: Side,
  { webhooks, keys }: SurfaceOptions,
  run: (holder: Holder) => Promise<T>,
): Promise<T> =>
  withBox(t, webhooks, (box) =>
    withKey(t, who, keys, async ({ key, id }) => {
      if (webhooks) await clearShared(t, key)
      const [witness, reader] = await Promise.all([openFollower(t, key), openFollower(t, key)])
      const holder: Holder = { key, id, dead: [], box, witness, reader, former: [] }
      try {
        return await run(holder)
      } finally {
        if (webhooks) await t.cleanup(() => unregisterWebhook(t, holder.key).catch(() => undefined))
        await Promise.all([holder.witness, holder.reader, ...holder.former].map(closeFollower))
        if (holder.id !== undefined) await deleteKey(t, holder.id).catch(() => undefined)
      }
    }),
  )

/** Runs something with both keys, their connections, their mailboxes, and a new client. */
export const withSurfaces = <T>(
  t: CheckContext,
  options: SurfaceOptions,
  run: (model: Model, surfaces: Surfaces) => Promise<T>,
): Promise<T> =>
  withHolder(t, 'mine', options, (mine) =>
    withHolder(t, 'theirs', options, async (theirs) => {
      if (everybody.some((who) => account(t, who) === undefined))
        throw new Untestable('the target has no owner and stranger accounts')
      const client = await newClient(t, fixture.simple)
      let owned: Promise<Hex> | undefined
      const surfaces: Surfaces = {
        t,
        holders: { mine, theirs },
        client,
        owned: () => {
          owned ??= newClient(t)
          return owned
        },
        tasks: [],
        story: [],
      }
      return run(freshModel(stakesOf(t)), surfaces)
    }),
  )
