import type { Hex } from 'viem'
import { deleteKey, type MadeKey, makeKey } from '../lab/controlListener.ts'
import { fixture } from '../lab/fixtures.ts'
import { freshClient } from '../lab/freshClient.ts'
import { stakesOf } from '../lab/operators.ts'
import { type CallKey, withOwnKey } from '../lab/ownKey.ts'
import { type Box, unregisterWebhook, withMailbox } from '../lab/webhooks.ts'
import { Untestable } from '../runner/conformanceError.ts'
import type { CheckContext } from '../runner/context.ts'
import type { JsonObject } from '../runner/expect.ts'
import type { OwnKey } from '../wire/exchange.ts'
import { closeFollower, type Follower, openFollower } from './follower.ts'
import { accountOf, everybody, freshModel, type Model, type Who } from './state.ts'

/** What one who acts has in his hands. */
export type Holder = {
  key: CallKey
  /** Where the key was made for the sequence: its id. */
  id: string | undefined
  /** Values that were rotated or deleted. */
  readonly dead: OwnKey[]
  /** Where failures are sent while a webhook is registered. */
  readonly box: Box | undefined
  /** Follows every task of the key from its submission. */
  witness: Follower
  /** Follows what the sequence has it follow. */
  reader: Follower
  /** Connections of keys that are gone: what they heard still counts. */
  readonly former: Follower[]
}

/** One task as it was seen so far. */
export type SeenTask = {
  readonly taskId: string
  readonly by: Who
  /** The result of createTask, or of the last update; undefined where neither has come. */
  result: JsonObject | undefined
  readonly sender: Hex
  /** What the explorer showed last. */
  row: JsonObject | undefined
  /** All surfaces have told its end, and nothing more is to come. */
  settled: boolean
}

/** Every surface of the target, and all that was seen there. */
export type Surfaces = {
  readonly t: CheckContext
  readonly holders: Record<Who, Holder>
  /** Its tasks are those of this sequence alone. */
  readonly client: Hex
  /** The client whose owner changes and for which secrets are stored; deployed when it is needed. */
  readonly owned: () => Promise<Hex>
  readonly tasks: SeenTask[]
  readonly story: string[]
}

/** Tells what was seen, beside the step that it belongs to. */
export const tell = ({ story }: Surfaces, what: string): void => {
  const at = story.length - 1
  if (at >= 0) story[at] += `\n      ${what}`
}

export type SurfaceOptions = { readonly webhooks: boolean; readonly keys: boolean }

type Held = { readonly key: CallKey; readonly id: string | undefined }

const account = (t: CheckContext, who: Who) => t.target.accounts?.[accountOf[who]]?.address

export const makeKeyOf = (t: CheckContext, who: Who): Promise<MadeKey> => {
  const owner = account(t, who)
  return makeKey(t, ['rpc'], owner === undefined ? [] : [owner])
}

/** A key that ends with the sequence, or one of the target's that nobody else uses meanwhile. */
const withKey = async <T>(
  t: CheckContext,
  who: Who,
  made: boolean,
  run: (held: Held) => Promise<T>,
): Promise<T> => {
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
  who: Who,
  { webhooks, keys }: SurfaceOptions,
  run: (holder: Holder) => Promise<T>,
): Promise<T> =>
  withBox(t, webhooks, (box) =>
    withKey(t, who, keys, async ({ key, id }) => {
      const [witness, reader] = await Promise.all([openFollower(t, key), openFollower(t, key)])
      const holder: Holder = { key, id, dead: [], box, witness, reader, former: [] }
      try {
        return await run(holder)
      } finally {
        if (webhooks) await t.cleanup(() => unregisterWebhook(t, holder.key)).catch(() => undefined)
        await Promise.all([holder.witness, holder.reader, ...holder.former].map(closeFollower))
        if (holder.id !== undefined) await deleteKey(t, holder.id).catch(() => undefined)
      }
    }),
  )

/** Runs something with both keys, their connections, their mailboxes, and a client of its own. */
export const withSurfaces = <T>(
  t: CheckContext,
  options: SurfaceOptions,
  run: (model: Model, surfaces: Surfaces) => Promise<T>,
): Promise<T> =>
  withHolder(t, 'mine', options, (mine) =>
    withHolder(t, 'theirs', options, async (theirs) => {
      if (everybody.some((who) => account(t, who) === undefined))
        throw new Untestable('the target names no accounts of owner and stranger')
      const client = await freshClient(t, fixture.simple)
      let owned: Promise<Hex> | undefined
      const surfaces: Surfaces = {
        t,
        holders: { mine, theirs },
        client,
        owned: () => {
          owned ??= freshClient(t)
          return owned
        },
        tasks: [],
        story: [],
      }
      return run(freshModel(stakesOf(t)), surfaces)
    }),
  )
