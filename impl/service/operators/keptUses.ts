import { createHash } from 'node:crypto'
import type { PrivateUses } from 'polgate-rego/privateUses.ts'

const maxKept = 1_024

/**
 * Answers the question which private data a policy may use from memory: every task asks it, and the
 * answer depends on the text alone.
 */
export function createKeptUses(
  ask: (source: string) => Promise<PrivateUses>,
): (source: string) => Promise<PrivateUses> {
  const kept = new Map<string, Promise<PrivateUses>>()
  return (source) => {
    const key = createHash('sha256').update(source).digest('base64')
    const known = kept.get(key)
    if (known !== undefined) return known
    const asked = ask(source)
    kept.set(key, asked)
    asked.catch(() => kept.delete(key))
    for (const oldest of kept.keys()) {
      if (kept.size <= maxKept) break
      kept.delete(oldest)
    }
    return asked
  }
}
