import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { DurableFiles } from './durableFiles.ts'
import { Statements } from './statements.ts'
import type { SyncCounters } from './syncCounters.ts'

/** Exit status of the exception with which PostgreSQL aborts a failed statement. */
const statementFailed = 100

/** A parameter that PGlite starts PostgreSQL with by default. */
const withoutSync = '-F'

type Module = {
  _PostgresMainLoopOnce(): void
  stackRestore(pointer: number): void
  readonly FS: {
    readonly streams: readonly (object | null | undefined)[]
    close(stream: object): void
  }
}

/**
 * PGlite that fails when PostgreSQL ends. A PANIC (which a full disk causes at the next write of
 * the log) or a WebAssembly trap leaves an unusable module. PGlite mistakes the exception for that
 * of a failed statement and calls the module in an endless loop, which blocks the thread.
 */
export class Engine extends PGlite {
  readonly statements = new Statements(this)
  /** Undefined for an engine that syncs nothing. */
  readonly files: DurableFiles | undefined
  #death: Error | undefined
  #guarded: object | undefined

  private constructor(options: PGliteOptions, files?: DurableFiles) {
    super(options)
    this.files = files
  }

  static async start(options: PGliteOptions): Promise<Engine> {
    const engine = new Engine(options)
    await engine.waitReady
    return engine
  }

  /** Syncs what PostgreSQL wants on disk. Await `durable` before a commit is acknowledged. */
  static async startDurable(
    { dataDir, ...options }: PGliteOptions & { readonly dataDir: string },
    counters: SyncCounters,
  ): Promise<Engine> {
    const files = new DurableFiles(dataDir, counters)
    const startParams = PGlite.defaultStartParams.filter((word) => word !== withoutSync)
    const engine = new Engine({ ...options, fs: files, startParams }, files)
    await engine.waitReady
    return engine
  }

  /** Whether the engine has ended. Acknowledged data is on disk. */
  get dead(): boolean {
    return this.#ending !== undefined
  }

  /** After a failed sync nothing is known of what the disk has; starting again reads it. */
  get #ending(): Error | undefined {
    return this.#death ?? this.files?.log.failure
  }

  /** Resolves when everything that was committed before is on disk. */
  async durable(): Promise<void> {
    await this.files?.log.durable()
  }

  override async close(): Promise<void> {
    await super.close()
    this.files?.log.syncNow()
    this.files?.log.close()
  }

  /**
   * Runs a statement or a transaction after those that were called before.
   *
   * @throws Error if the engine is closed
   */
  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.runExclusive(async () => {
      await this._checkReady()
      return await work()
    })
  }

  override execProtocolRawSync(message: Uint8Array): Uint8Array {
    if (this.#ending !== undefined) throw this.#ending
    this.#guard()
    try {
      return super.execProtocolRawSync(message)
    } catch (error) {
      throw this.#death ?? error
    }
  }

  /** Closes the files of a dead engine. */
  abandon(): void {
    this.files?.log.close()
    const { FS } = this.mod as unknown as Module
    for (const stream of FS.streams) {
      try {
        if (stream) FS.close(stream)
      } catch {
        // A standard stream, or one that is already closed.
      }
    }
  }

  #guard(): void {
    const module = this.mod as unknown as Module
    if (this.#guarded === module) return
    this.#guarded = module
    const { _PostgresMainLoopOnce: loop, stackRestore } = module
    module._PostgresMainLoopOnce = () => {
      try {
        loop()
      } catch (error) {
        const { status } = error as { status?: number }
        if (status !== statementFailed)
          this.#death ??= new Error('PostgreSQL has ended', { cause: error })
        throw error
      }
    }
    // Called after PGlite has caught an exception: the only point at which its loop can be left.
    module.stackRestore = (pointer) => {
      if (this.#death !== undefined) throw this.#death
      stackRestore(pointer)
    }
  }
}
