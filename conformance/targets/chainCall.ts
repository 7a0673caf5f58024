import { Untestable } from '../core/conformanceError.ts'
import { readJson } from '../wire/readText.ts'

/**
 * Calls a method of the node of a chain; resolves with its result.
 *
 * @throws Untestable where the answer is an error or not JSON; the error of `fetch` where there is none
 */
export async function chainCall(
  fetch: typeof globalThis.fetch,
  url: string,
  method: string,
  params: readonly unknown[] = [],
): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(10_000),
  })
  const body = (await readJson(response)) as
    | { result?: unknown; error?: { message?: string } }
    | undefined
  if (body === undefined) throw new Untestable('it does not answer with JSON')
  if (body.error !== undefined)
    throw new Untestable(`it answered '${body.error.message ?? 'an error'}'`)
  return body.result
}
