import { setTimeout as pause } from 'node:timers/promises'

/** Reads of a node that concurrent callers share. */
export type JoinedReads = <T>(key: string, read: () => Promise<T>) => Promise<T>

/** A read joins the one after that in flight, and waits this long for it, milliseconds. */
const joinMs = 20
/**
 * Least time between reads that several callers share, milliseconds: a local node answers so fast
 * that each would be shared by few.
 */
const spacingMs = 4

type Shared = { readonly answer: Promise<unknown>; callers: number }
type Reads = {
  next?: Shared | undefined
  sent?: Promise<unknown> | undefined
  /** When the last read was sent, and by how many callers it is shared. */
  last?: { readonly at: number; readonly callers: number }
}

/**
 * Shares a read among callers with the same key, but only one that is not sent yet: each gets what
 * the node says after the call, because its caller may have changed the chain just before.
 */
export function createJoinedReads(): JoinedReads {
  const byKey = new Map<string, Reads>()

  async function send<T>(key: string, reads: Reads, read: () => Promise<T>): Promise<T> {
    await turnOf(reads)
    reads.last = { at: performance.now(), callers: reads.next?.callers ?? 1 }
    reads.next = undefined
    const sent = read()
    reads.sent = sent
    const { callers } = reads.last
    return await sent.finally(() => {
      if (reads.sent !== sent) return
      reads.sent = undefined
      if (callers === 1) forgetIdle(key)
      else setTimeout(forgetIdle, spacingMs, key).unref()
    })
  }

  function forgetIdle(key: string): void {
    const reads = byKey.get(key)
    if (reads?.sent === undefined && reads?.next === undefined) byKey.delete(key)
  }

  return <T>(key: string, read: () => Promise<T>): Promise<T> => {
    const reads = byKey.get(key) ?? {}
    byKey.set(key, reads)
    if (reads.next === undefined) reads.next = { answer: send(key, reads, read), callers: 0 }
    reads.next.callers += 1
    return reads.next.answer as Promise<T>
  }
}

/** When no read is in flight, or the one in flight takes long, and the last shared one is a moment ago. */
async function turnOf({ sent, last }: Reads): Promise<void> {
  if (sent !== undefined) {
    const waited = new AbortController()
    await Promise.race([sent.catch(() => {}), pause(joinMs, undefined, waited)])
    waited.abort()
  }
  if (last === undefined || last.callers === 1) return
  const rest = last.at + spacingMs - performance.now()
  if (rest > 0) await pause(rest)
}
