import { PGlite, type PGliteOptions } from '@electric-sql/pglite'

/** The status of the exception by which PostgreSQL leaves a statement that failed. */
const statementFailed = 100

type Module = {
  _PostgresMainLoopOnce(): void
  stackRestore(pointer: number): void
  readonly FS: {
    readonly streams: readonly (object | null | undefined)[]
    close(stream: object): void
  }
}

/**
 * PGlite that ends when PostgreSQL ends. A PANIC, which a full disk causes at the next write of the
 * log, or a trap of WebAssembly leaves a module that can do no more; PGlite takes the exception for
 * that of a statement and calls the module again and again without end, and this thread with it.
 */
export class Engine extends PGlite {
  #death: Error | undefined
  #guarded: object | undefined

  static async start(options: PGliteOptions): Promise<Engine> {
    const engine = new Engine(options)
    await engine.waitReady
    return engine
  }

  /** Whether nothing can be asked of it any more. What it had committed is on disk. */
  get dead(): boolean {
    return this.#death !== undefined
  }

  override execProtocolRawSync(message: Uint8Array): Uint8Array {
    if (this.#death !== undefined) throw this.#death
    this.#guard()
    try {
      return super.execProtocolRawSync(message)
    } catch (error) {
      throw this.#death ?? error
    }
  }

  /** Gives back the files of one that is dead. */
  abandon(): void {
    const { FS } = this.mod as unknown as Module
    for (const stream of FS.streams) {
      try {
        if (stream) FS.close(stream)
      } catch {
        // Standard streams and those that were closed before.
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
    // Called where PGlite has caught an exception: the one place from which its loop can be left.
    module.stackRestore = (pointer) => {
      if (this.#death !== undefined) throw this.#death
      stackRestore(pointer)
    }
  }
}
