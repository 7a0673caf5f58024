/** Notifications whose attempts are counted. */
const maxKnown = 10_000

/** Counts the attempts to deliver each notification; the oldest notifications are forgotten. */
export function createAttemptCounter(): (notificationId: string) => number {
  const attempts = new Map<string, number>()
  return (id) => {
    const attempt = (attempts.get(id) ?? 0) + 1
    attempts.set(id, attempt)
    for (const old of attempts.keys()) {
      if (attempts.size <= maxKnown) break
      attempts.delete(old)
    }
    return attempt
  }
}
