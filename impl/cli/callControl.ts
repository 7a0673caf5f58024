import { CommandError } from './verb.ts'

/**
 * Asks the control listener of a running local stack.
 *
 * @throws CommandError with what the stack said, or that none answers
 */
export async function callControl(
  url: string,
  path: string,
  init: RequestInit = {},
): Promise<Response> {
  const response = await fetch(`${url}${path}`, init).catch((cause: unknown) => {
    init.signal?.throwIfAborted()
    throw new CommandError(`No local stack answers at ${url}`, { hint: 'Run `svc start`.', cause })
  })
  if (response.ok) return response
  const answer = (await response.json().catch(() => ({}))) as { error?: string; hint?: string }
  throw new CommandError(answer.error ?? `the local stack answered HTTP ${response.status}`, {
    ...(answer.hint === undefined ? {} : { hint: answer.hint }),
  })
}
