import { createHash } from 'node:crypto'
import { createEngine, type Engine, type EngineOptions, type ModuleSource } from './engine.ts'

/** All options but the modules: the same for all engines of a cache. */
export type EngineCacheOptions = Omit<EngineOptions, 'modules'> & {
  /** How many compiled engines are kept; the one not asked for the longest goes first. */
  readonly capacity?: number
}

/** Compiled policies by the content of their modules. */
export class EngineCache {
  private readonly options: EngineCacheOptions
  private readonly capacity: number
  private readonly engines = new Map<string, Engine>()

  constructor(options: EngineCacheOptions = {}) {
    this.options = options
    this.capacity = options.capacity ?? 64
  }

  /** @throws RegoError of the modules' first mistake, which is not kept */
  get(modules: readonly ModuleSource[]): Engine {
    const key = contentKey(modules)
    const engine = this.engines.get(key) ?? createEngine({ ...this.options, modules })
    // newest last
    this.engines.delete(key)
    this.engines.set(key, engine)
    if (this.engines.size > this.capacity) {
      const [oldest = key] = this.engines.keys()
      this.engines.delete(oldest)
    }
    return engine
  }

  get size(): number {
    return this.engines.size
  }
}

const contentKey = (modules: readonly ModuleSource[]): string => {
  const hash = createHash('sha256')
  for (const { name, source } of modules) {
    hash.update(`${Buffer.byteLength(name)}:${name}${Buffer.byteLength(source)}:`).update(source)
  }
  return hash.digest('base64')
}
