import type { Builtin } from '../builtins/builtin.ts'
import {
  createEngine,
  type Documents,
  type Engine,
  type EngineOptions,
  type ModuleSource,
} from '../engine.ts'
import type { Tracer } from '../evaluate/tracer.ts'

/** The text of each module by the name of its file, as errors show it. */
export type Sources = Readonly<Record<string, string>>

/** What {@link compile} makes, and the other functions take. It never changes. */
export class Policy {
  private readonly options: Omit<EngineOptions, 'modules' | 'builtins'>
  /** The built-ins that its modules may call. */
  readonly builtins: ReadonlyMap<string, Builtin>
  readonly sources: readonly ModuleSource[]
  readonly engine: Engine

  /** @throws RegoError if the modules do not compile */
  constructor(
    sources: readonly ModuleSource[],
    builtins: ReadonlyMap<string, Builtin>,
    options: Omit<EngineOptions, 'modules' | 'builtins'>,
    engine?: Engine,
  ) {
    this.sources = sources
    this.builtins = builtins
    this.options = options
    this.engine = engine ?? createEngine({ ...options, modules: sources, builtins })
  }

  /** Options for an engine of its own, for example with other modules. */
  get engineOptions(): EngineOptions {
    return { ...this.options, modules: this.sources, builtins: this.builtins }
  }

  /** The same policy with other base documents. */
  withData({ data, dataJson }: Pick<Documents, 'data' | 'dataJson'>): Policy {
    const { data: _, dataJson: __, ...others } = this.options
    const options = {
      ...others,
      ...(data === undefined ? {} : { data }),
      ...(dataJson === undefined ? {} : { dataJson }),
    }
    const engine = this.engine.withData(options)
    return new Policy(this.sources, this.builtins, options, engine)
  }

  /** The same policy, whose evaluations a tracer follows. */
  traced(tracer: Tracer): Engine {
    return this.engine.traced(tracer)
  }
}
