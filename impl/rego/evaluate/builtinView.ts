import type { BuiltinContext, PolicyHooks, RandomSource } from '../builtins/builtin.ts'
import type { PrivateData } from '../builtins/private/privateData.ts'
import { seededRandom } from '../builtins/random.ts'
import type { Dialect } from '../compile/dialect.ts'
import type { Meter } from '../values/limits.ts'
import type { Value } from '../values/value.ts'

/** The options of an evaluation that built-ins use. */
export type BuiltinOptions = {
  readonly nowNs: () => bigint
  /** Bytes that differ between evaluations. */
  readonly seed: () => Uint8Array
  readonly print: ((line: string) => void) | undefined
  readonly runtime: Value | undefined
  readonly privateData: PrivateData | undefined
  readonly hooks: PolicyHooks | undefined
  readonly dialect: Dialect | undefined
  /**
   * Cache of values that depend only on their key (compiled regexes, globs), shared by evaluations
   * of the engine.
   */
  readonly cache: Map<string, unknown>
}

/** The context passed to built-ins; rarely used parts are created on demand. */
export class BuiltinView implements BuiltinContext {
  readonly meter: Meter
  readonly cache: Map<string, unknown>
  private readonly options: BuiltinOptions
  private now: bigint | undefined
  private source: RandomSource | undefined
  private remembered: Map<string, unknown> | undefined

  constructor(options: BuiltinOptions, meter: Meter) {
    this.meter = meter
    this.options = options
    this.cache = options.cache
  }

  get nowNs(): bigint {
    this.now ??= this.options.nowNs()
    return this.now
  }

  get random(): RandomSource {
    this.source ??= seededRandom(this.options.seed)
    return this.source
  }

  get memo(): Map<string, unknown> {
    this.remembered ??= new Map()
    return this.remembered
  }

  get print(): ((line: string) => void) | undefined {
    return this.options.print
  }

  get runtime(): Value | undefined {
    return this.options.runtime
  }

  get privateData(): PrivateData | undefined {
    return this.options.privateData
  }

  get dialect(): Dialect | undefined {
    return this.options.dialect
  }

  get hooks(): PolicyHooks | undefined {
    return this.options.hooks
  }
}
