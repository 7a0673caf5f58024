import { CommandError } from './commandDefinition.ts'

/**
 * Sends a request to the control listener of a running local stack.
 *
 * @throws CommandError with the stack's error, or when it is unreachable
 */
export async function controlRequest(
  url: string,
  path: string,
  init: RequestInit = {},
): Promise<Response> {
  const response = await fetch(`${url}${path}`, init).catch((cause: unknown) => {
    init.signal?.throwIfAborted()
    throw new CommandError(`The local stack at ${url} is unreachable`, {
      hint: 'Run `polgate start`.',
      cause,
    })
  })
  if (response.ok) return response
  const answer = (await response.json().catch(() => ({}))) as { error?: string; hint?: string }
  throw new CommandError(answer.error ?? `The local stack returned HTTP ${response.status}`, {
    hint: answer.hint ?? 'polgate status shows the state of the stack.',
  })
}
