import { createHash } from 'node:crypto'

const dayMs = 86_400_000

/**
 * A different subset of the ids each day, so that all of them come round. They are ordered by hash,
 * so that a day has some of every area.
 */
export const rotating = <T extends { readonly id: string }>(
  all: readonly T[],
  count: number,
  now: Date,
): readonly T[] => {
  if (count >= all.length) return all
  const place = ({ id }: T) => createHash('sha256').update(id).digest('hex')
  const shuffled = [...all].sort((a, b) => (place(a) < place(b) ? -1 : 1))
  const first = (Math.floor(now.getTime() / dayMs) * count) % shuffled.length
  return [...shuffled.slice(first), ...shuffled.slice(0, first)].slice(0, count)
}
