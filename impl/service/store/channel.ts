/** What comes from the other processes on a database, and from this one. */
export type ChannelListener = {
  message(text: string): void
  /** Messages may have been missed: the connection is new. Also called at the first one. */
  gap(): void
}

/**
 * Messages between the processes on one database: in the order in which each process sends them, soon,
 * and without a promise: what matters is in a table too, where it is found by whoever missed it.
 */
export type Channel = {
  /** One line of text, of at most `largestMessage` bytes; a longer one is not sent. */
  send(text: string): void
  /** Whether messages are heard at the moment. */
  isOpen(): boolean
  /** Sends what waits, then ends. */
  close(): Promise<void>
}

/** Bytes: what a notification of PostgreSQL holds, less some for safety. */
export const largestMessage = 7_900
/** Bytes that may wait while the server does not answer; the oldest go first. */
const mostWaiting = 8 * 1024 * 1024

export type Outbox = { readonly send: (text: string) => void; readonly flush: () => Promise<void> }

/**
 * Collects messages for a few milliseconds and packs them into as few notifications as they fit in: each
 * costs the server a lock that all transactions with notifications share.
 *
 * @param notify sends payloads, in their order; called again only when it is done
 */
export function createOutbox(
  notify: (payloads: readonly string[]) => Promise<void>,
  afterMs = 2,
): Outbox {
  const waiting: string[] = []
  let bytes = 0
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> | undefined

  const run = async () => {
    while (waiting.length > 0) {
      const lines = waiting.splice(0)
      bytes = 0
      await notify(packed(lines)).catch(() => {})
    }
    sending = undefined
  }
  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    sending ??= run()
    return sending
  }
  return {
    send(text) {
      const size = Buffer.byteLength(text) + 1
      if (size > largestMessage) return
      waiting.push(text)
      bytes += size
      while (bytes > mostWaiting) bytes -= Buffer.byteLength(waiting.shift() as string) + 1
      // What comes while a batch is under way goes with the next one.
      if (sending === undefined) timer ??= setTimeout(() => void flush(), afterMs)
    },
    flush,
  }
}

/** Lines joined as long as they fit. */
function packed(lines: readonly string[]): string[] {
  const payloads: string[] = []
  let current = ''
  let size = 0
  for (const line of lines) {
    const more = Buffer.byteLength(line) + 1
    if (current !== '' && size + more > largestMessage) {
      payloads.push(current)
      current = ''
      size = 0
    }
    current += current === '' ? line : `\n${line}`
    size += more
  }
  payloads.push(current)
  return payloads
}
