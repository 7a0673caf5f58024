import type { BuiltinContext, PolicyHooks, RandomSource } from '../builtins/builtin.ts'
import { seededRandom } from '../builtins/random.ts'
import type { Meter } from '../values/limits.ts'
import type { Value } from '../values/value.ts'

/** The part of an evaluation's options that built-ins use. */
export type BuiltinOptions = {
  readonly nowNs: () => bigint
  /** Bytes that differ from evaluation to evaluation. */
  readonly seed: () => Uint8Array
  readonly print: ((line: string) => void) | undefined
  readonly runtime: Value | undefined
  readonly hooks: PolicyHooks | undefined
  /** What depends on its key alone (compiled regexes, globs), kept as long as the engine. */
  readonly cache: Map<string, unknown>
}

/** What built-ins see of an evaluation; parts that few of them use are made when asked for. */
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

  get hooks(): PolicyHooks | undefined {
    return this.options.hooks
  }
}
