import { Untestable } from '../../core/conformanceError.ts'
import type { CheckContext } from '../../core/context.ts'
import type { OwnKey } from '../../core/exchange.ts'
import { isObject } from '../../core/expect.ts'
import { readJson } from '../../wire/readText.ts'

/** A request to the control listener of a local stack; returns its JSON response, if any. */
export async function control(
  t: CheckContext,
  path: string,
  method: 'POST' | 'DELETE' = 'POST',
  body?: unknown,
): Promise<unknown> {
  const response = await t.fetch(`${t.target.controlUrl}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(10_000),
  })
  if (!response.ok)
    throw new Untestable(`the control listener answered ${response.status} to ${path}`)
  return readJson(response)
}

export type MadeKey = { readonly key: OwnKey; readonly id: string }

function keyOf(t: CheckContext, made: unknown): MadeKey {
  const record = isObject(made) && isObject(made.record) ? made.record : {}
  if (!isObject(made) || typeof made.key !== 'string' || typeof record.id !== 'string')
    throw new Untestable('the control listener creates no keys')
  // It is a valid API key: no response or report may contain it.
  t.guard('SVC_KEY_OWN', made.key)
  return { key: { value: made.key, name: 'SVC_KEY_OWN' }, id: record.id }
}

export const makeKey = async (
  t: CheckContext,
  permissions: readonly string[],
  owners: readonly string[] = [],
): Promise<MadeKey> =>
  keyOf(t, await control(t, '/keys', 'POST', { name: 'conformance', permissions, owners }))

export const rotateKey = async (t: CheckContext, id: string): Promise<MadeKey> =>
  keyOf(t, await control(t, `/keys/${id}/rotate`))

export const deleteKey = (t: CheckContext, id: string): Promise<unknown> =>
  control(t, `/keys/${id}`, 'DELETE')
