import type { Clock } from 'polgate-protocol/clock.ts'

export type MessageBudget = {
  /** Returns 0 if the message is allowed, otherwise the number of seconds to wait. */
  take(): number
  /** Number of consecutive rejections. */
  refused(): number
}

/** Limits the messages of one connection: a burst, and an average rate. */
export function createMessageBudget(
  clock: Clock,
  { messageBurst, messagesPerSecond }: { messageBurst: number; messagesPerSecond: number },
): MessageBudget {
  let tokens = messageBurst
  let at = clock()
  let refused = 0
  return {
    take() {
      const now = clock()
      const gained = (Math.max(0, now - at) / 1000) * messagesPerSecond
      tokens = Math.min(messageBurst, tokens + gained)
      at = now
      if (tokens < 1) {
        refused += 1
        return Math.max(1, Math.ceil((1 - tokens) / messagesPerSecond))
      }
      tokens -= 1
      refused = 0
      return 0
    },
    refused: () => refused,
  }
}
