/**
 * Whether a request was not sent because of its port: `fetch` refuses those that the Fetch standard
 * reserves for other protocols.
 *
 * @param error what `fetch` rejected with
 */
export function isBlockedPort(error: unknown): boolean {
  for (let each = error, depth = 0; each instanceof Error && depth < 10; depth += 1) {
    // The error has no code.
    if (each.message === 'bad port') return true
    each = each.cause
  }
  return false
}

/** What to say of it, and what to do. */
export const blockedPort = {
  text: 'fetch refuses this port, which is reserved for another protocol (bad port)',
  hint: 'Serve it on another port; browsers and Node refuse this one.',
}
