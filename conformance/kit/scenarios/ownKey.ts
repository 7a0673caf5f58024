import { Untestable } from '../../core/conformanceError.ts'
import type { CheckContext } from '../../core/context.ts'
import type { KeyName, OwnKey } from '../../core/exchange.ts'
import { lacking } from '../../targets/targetLine.ts'
import { deleteKey, type MadeKey, makeKey } from './controlListener.ts'

/** An API key to call with: one created for the check, or one of the target's. */
export type CallKey = KeyName | OwnKey

function created(t: CheckContext): Promise<MadeKey> {
  const owner = t.target.accounts?.owner?.address
  return makeKey(t, ['rpc'], owner === undefined ? [] : [owner])
}

/** Exclusive use of the target's key of that name among users of `withOwnKey`. */
async function alone<T>(t: CheckContext, name: KeyName, run: () => Promise<T>): Promise<T> {
  const queue = await t.once(`queue for key ${name}`, async () => ({
    last: Promise.resolve() as Promise<unknown>,
  }))
  const turn = queue.last.then(run)
  queue.last = turn.catch(() => undefined)
  return turn
}

/** Whether the target has a control listener that creates keys: the probe of `key-control`. */
const createsKeys = (t: CheckContext): Promise<boolean> =>
  t.once('control of keys', async () => {
    const { controlUrl } = t.target
    if (controlUrl === undefined) return false
    return t.fetch(`${controlUrl}/keys`, { signal: AbortSignal.timeout(10_000) }).then(
      ({ ok, body }) => (body?.cancel() ?? Promise.resolve()).then(() => ok),
      () => false,
    )
  })

/**
 * Runs something with an API key that no other check uses: created for it and deleted afterwards if
 * the target has a control listener that creates keys, else one of the target's own that is lent to one check at a
 * time. State of the key, such as its webhook, then belongs to the check alone.
 */
export async function withOwnKey<T>(
  t: CheckContext,
  run: (key: CallKey) => Promise<T>,
  standIn: 'rpc' | 'stranger' = 'rpc',
): Promise<T> {
  if (!(await createsKeys(t))) {
    if (t.target.keys[standIn] === undefined)
      throw new Untestable(`no dedicated API key: no control of keys, no key '${standIn}'`)
    return alone(t, standIn, () => run(standIn))
  }
  const { key, id } = await created(t)
  try {
    return await run(key)
  } finally {
    await t.cleanup(() => deleteKey(t, id))
  }
}

/** The value of a key, for requests other than JSON-RPC calls. */
export function keyValue(t: CheckContext, key: CallKey): string {
  if (typeof key !== 'string') return key.value
  const value = t.target.keys[key]
  if (value === undefined) throw lacking(`the target has no key '${key}'`, `key:${key}`, t.target)
  return value
}
