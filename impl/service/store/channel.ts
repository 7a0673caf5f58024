/** Receives the messages of all processes on a database, including this one. */
export type ChannelListener = {
  message(text: string): void
  /** Called for each new connection, the first included: messages may have been missed. */
  gap(): void
}

/**
 * Messages between the processes on one database: in order for each sender, best effort. Everything
 * that matters is also in a table, where a process that missed a message finds it.
 */
export type Channel = {
  /** One line of text, of at most `largestMessage` bytes; a longer one is not sent. */
  send(text: string): void
  /** Whether messages are being received at the moment. */
  isOpen(): boolean
  /** Sends what is queued, then closes. */
  close(): Promise<void>
}

/** Bytes: the limit of a PostgreSQL notification, less a margin. */
export const largestMessage = 7_900
/** Bytes that may be queued while the server does not respond; the oldest are dropped first. */
const maxQueuedBytes = 8 * 1024 * 1024

export type Outbox = { readonly send: (text: string) => void; readonly flush: () => Promise<void> }

/**
 * Collects messages for a few milliseconds and packs them into as few notifications as possible:
 * each notification takes a lock on the server that all notifying transactions share.
 *
 * @param notify sends payloads in order; not called again before it has settled
 */
export function createOutbox(
  notify: (payloads: readonly string[]) => Promise<void>,
  afterMs = 2,
): Outbox {
  const queued: string[] = []
  let bytes = 0
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> | undefined

  const run = async () => {
    while (queued.length > 0) {
      const lines = queued.splice(0)
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
      queued.push(text)
      bytes += size
      while (bytes > maxQueuedBytes) bytes -= Buffer.byteLength(queued.shift() as string) + 1
      // Messages that arrive while a batch is being sent go into the next one.
      if (sending === undefined) timer ??= setTimeout(() => void flush(), afterMs)
    },
    flush,
  }
}

/** Joins lines into payloads of at most `largestMessage` bytes. */
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
