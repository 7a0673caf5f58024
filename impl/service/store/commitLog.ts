import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs'
import { setImmediate as untilIdle } from 'node:timers/promises'
import type { SyncCounters } from './syncCounters.ts'

const fdatasyncLater = (descriptor: number) =>
  new Promise<void>((resolve, reject) => {
    fdatasync(descriptor, (error) => (error === null ? resolve() : reject(error)))
  })

/** Milliseconds. A quicker sync takes less time than handing it to another thread, which is slow on a busy machine. */
const quickSync = 1
/** On a slow disk, one of this many syncs runs in this thread, to measure how long they take now. */
const probeEvery = 16
/** Weight of a slow sync in the running mean; a quick one replaces the mean. */
const newest = 0.2

/**
 * Syncs the write-ahead log once for all that wait: in this thread if the disk is quick, in another if it is
 * slow. PostgreSQL syncs it within a commit, which would hold up every other statement for the time of the
 * disk. Here the commit goes on, and its caller waits for `durable`; everything else that PostgreSQL writes
 * waits for `syncNow`, so that no page reaches the disk before the log of its change.
 *
 * It has a descriptor of its own: PostgreSQL closes its one at any time.
 */
export class CommitLog {
  readonly #counters: SyncCounters
  readonly #quickMs: number
  /** What a sync in this thread takes, milliseconds. */
  #usualMs = 0
  #later = 0
  #path = ''
  #descriptor: number | undefined
  /** Numbers of writes: of all, and of those that are on disk. */
  #written = 0
  #durable = 0
  #running: Promise<void> | undefined
  #failure: Error | undefined

  /** @param quickMs time of a sync, milliseconds, from which on it runs in another thread */
  constructor(counters: SyncCounters, quickMs = quickSync) {
    this.#counters = counters
    this.#quickMs = quickMs
  }

  /** Set when a sync has failed: the system may have dropped what it could not write. */
  get failure(): Error | undefined {
    return this.#failure
  }

  /** Call it before the file is written. */
  writing(path: string): void {
    if (path !== this.#path) {
      this.syncNow()
      this.#release()
      this.#descriptor = openSync(path, 'r+')
      this.#path = path
    }
    this.#written += 1
  }

  /** @throws the error of the system */
  syncNow(): void {
    if (this.#failure !== undefined) throw this.#failure
    if (this.#durable === this.#written || this.#descriptor === undefined) return
    const descriptor = this.#descriptor
    const began = performance.now()
    try {
      this.#counters.timed(() => fdatasyncSync(descriptor))
      const ms = performance.now() - began
      this.#usualMs = ms < this.#quickMs ? ms : this.#usualMs + newest * (ms - this.#usualMs)
    } catch (error) {
      this.#failure = error as Error
      throw error
    }
    this.#durable = this.#written
  }

  /**
   * Resolves when everything written before the call is on disk.
   *
   * @throws the error of the system
   */
  async durable(): Promise<void> {
    const position = this.#written
    while (this.#durable < position) {
      this.#running ??= this.#sync().finally(() => {
        this.#running = undefined
      })
      await this.#running
    }
    if (this.#failure !== undefined) throw this.#failure
  }

  close(): void {
    this.#release()
    this.#path = ''
  }

  async #sync(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    if (this.#usualMs < this.#quickMs || ++this.#later % probeEvery === 0) {
      // The statements that are waiting run first: one sync is for all of them.
      await untilIdle()
      this.syncNow()
      return
    }
    const position = this.#written
    const descriptor = this.#descriptor as number
    try {
      await this.#counters.timedLater(() => fdatasyncLater(descriptor))
    } catch (error) {
      this.#failure ??= error as Error
      throw error
    }
    // `syncNow` may have been faster.
    this.#durable = Math.max(this.#durable, position)
  }

  /** A sync that is running may not have reached the system, which would then sync another file. */
  #release(): void {
    const descriptor = this.#descriptor
    this.#descriptor = undefined
    if (descriptor === undefined) return
    if (this.#running === undefined) closeSync(descriptor)
    else
      void this.#running.then(
        () => closeSync(descriptor),
        () => closeSync(descriptor),
      )
  }
}
