import { AppError } from '../errors/appError.ts'

/** Limits of what slow clients hold (decisions, section 9). */
export type TransferLimits = {
  /** Bytes of bodies that are being received, and of responses that wait to be read, of one key. */
  readonly bytesPerKey: number
  /** The same of all keys. */
  readonly bytes: number
  /** Bodies and responses of one key under way. */
  readonly transfersPerKey: number
  /** A body or response has to be transferred at this rate on average, after `graceMs`. */
  readonly bytesPerSecond: number
  /** How long a transfer may take whatever its size, milliseconds. */
  readonly graceMs: number
}

const mebibyte = 1024 * 1024

export const defaultTransferLimits: TransferLimits = {
  bytesPerKey: 32 * mebibyte,
  bytes: 256 * mebibyte,
  transfersPerKey: 256,
  bytesPerSecond: 32 * 1024,
  graceMs: 5_000,
}

/** Responses up to this size are in the buffers of the system. */
const smallResponse = 16 * 1024

/** `too-many`: the key, or all keys, hold as much as they may. `too-slow`: the time for it is over. */
export class TransferRefused extends AppError {
  readonly why: 'too-many' | 'too-slow'

  constructor(why: 'too-many' | 'too-slow') {
    super(
      why === 'too-slow'
        ? 'the body arrived too slowly'
        : 'too many bodies and responses of this key are being transferred',
    )
    this.why = why
  }
}

/** The side of a response that is written to. */
export type Outgoing = {
  once(event: 'close', listener: () => void): unknown
  destroy(): unknown
}

export type Transfers = {
  /**
   * Receives a body, which counts until it is complete.
   *
   * @param declared its size, if known
   * @param read receives it; reports bytes that are not declared, which may throw
   * @throws TransferRefused
   */
  receive<T>(
    key: string,
    declared: number | undefined,
    read: (grow: (bytes: number) => void) => Promise<T>,
  ): Promise<T>
  /** Whether the key already holds as much as it may: it has to read its responses first. */
  isFull(key: string): boolean
  /**
   * Counts a response until its connection has taken it. If the key holds too much then, its oldest
   * responses are cut; this one if it is read too slowly.
   */
  respond(key: string, bytes: number, outgoing: Outgoing | undefined): void
  /** What is under way. */
  held(): { readonly bytes: number; readonly transfers: number }
}

type Transfer = {
  readonly key: string
  bytes: number
  readonly isResponse: boolean
  readonly cut: (why: TransferRefused['why']) => void
  timer?: NodeJS.Timeout
  readonly since: number
}

/** Bounds the memory and the sockets that the clients of each key hold by sending or reading slowly. */
export function createTransfers(limits: TransferLimits = defaultTransferLimits): Transfers {
  /** By key, the oldest first. */
  const held = new Map<string, Set<Transfer>>()
  const bytesOf = (key: string) =>
    [...(held.get(key) ?? [])].reduce((sum, { bytes }) => sum + bytes, 0)
  let total = 0

  function add(transfer: Transfer): void {
    const own = held.get(transfer.key) ?? new Set()
    held.set(transfer.key, own.add(transfer))
    total += transfer.bytes
    watch(transfer)
  }
  function remove(transfer: Transfer): void {
    const own = held.get(transfer.key)
    if (own?.delete(transfer) !== true) return
    clearTimeout(transfer.timer)
    total -= transfer.bytes
    if (own.size === 0) held.delete(transfer.key)
  }
  function watch(transfer: Transfer): void {
    clearTimeout(transfer.timer)
    const allowed = limits.graceMs + (1_000 * transfer.bytes) / limits.bytesPerSecond
    const left = transfer.since + allowed - performance.now()
    transfer.timer = setTimeout(() => cut(transfer, 'too-slow'), left).unref()
  }
  function cut(transfer: Transfer, why: TransferRefused['why']): void {
    remove(transfer)
    transfer.cut(why)
  }

  const isOver = (key: string, more: number) =>
    bytesOf(key) + more > limits.bytesPerKey || (held.get(key)?.size ?? 0) >= limits.transfersPerKey

  /** Makes room for a key by cutting transfers of the key that holds most; false if that is this key. */
  function makeRoom(key: string, more: number): boolean {
    while (total + more > limits.bytes) {
      const sizes = [...held.keys()].map((each) => [each, bytesOf(each)] as const)
      const [largest, bytes] = sizes.toSorted((a, b) => b[1] - a[1])[0] ?? [key, 0]
      if (largest === key || bytes <= bytesOf(key) + more) return false
      const [oldest] = held.get(largest)!
      cut(oldest!, 'too-many')
    }
    return true
  }

  return {
    receive(key, declared, read) {
      const bytes = declared ?? 0
      if (isOver(key, bytes) || !makeRoom(key, bytes))
        return Promise.reject(new TransferRefused('too-many'))
      return new Promise((resolve, reject) => {
        const transfer: Transfer = {
          ...{ key, bytes, isResponse: false, since: performance.now() },
          cut: (why) => reject(new TransferRefused(why)),
        }
        add(transfer)
        const grow = (more: number) => {
          if (held.get(key)?.has(transfer) !== true) throw new TransferRefused('too-slow')
          if (bytesOf(key) + more > limits.bytesPerKey || !makeRoom(key, more))
            throw new TransferRefused('too-many')
          transfer.bytes += more
          total += more
          watch(transfer)
        }
        read(grow)
          .finally(() => remove(transfer))
          .then(resolve, reject)
      })
    },
    isFull: (key) => isOver(key, 1),
    respond(key, bytes, outgoing) {
      if (outgoing === undefined || bytes <= smallResponse) return
      while (isOver(key, bytes)) {
        const oldest = [...(held.get(key) ?? [])].find(({ isResponse }) => isResponse)
        if (oldest === undefined) break
        cut(oldest, 'too-many')
      }
      makeRoom(key, bytes)
      const transfer: Transfer = {
        ...{ key, bytes, isResponse: true, since: performance.now() },
        cut: () => outgoing.destroy(),
      }
      add(transfer)
      outgoing.once('close', () => remove(transfer))
    },
    held: () => ({
      bytes: total,
      transfers: [...held.values()].reduce((sum, { size }) => sum + size, 0),
    }),
  }
}
