const parts = 3
const dayMs = 24 * 60 * 60 * 1000

/** Days since 1970, for what is another one each day. */
export const dayOf = (now: number): number => Math.floor(now / dayMs)

/**
 * The lines of one day: the quick ones, and a third of the others, another third each day.
 *
 * @param isSlow whether a line is among those that are shared out
 * @param now milliseconds since 1970
 */
export function dailyShare<Line>(
  lines: readonly Line[],
  isSlow: (line: Line) => boolean,
  now: number,
): Line[] {
  const slow = lines.filter(isSlow)
  const part = dayOf(now) % parts
  return lines.filter((line) => !isSlow(line) || slow.indexOf(line) % parts === part)
}
