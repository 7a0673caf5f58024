import { createHash } from 'node:crypto'
import { createEngine, type Engine, type EngineOptions, type ModuleSource } from './engine.ts'

/** All options except the modules, shared by all engines of a cache. */
export type EngineCacheOptions = Omit<EngineOptions, 'modules'> & {
  /** Maximum number of compiled engines; the least recently used one is evicted. */
  readonly capacity?: number
}

/** Caches compiled policies by the content of their modules. */
export class EngineCache {
  private readonly options: EngineCacheOptions
  private readonly capacity: number
  private readonly engines = new Map<string, Engine>()

  constructor(options: EngineCacheOptions = {}) {
    this.options = options
    this.capacity = options.capacity ?? 64
  }

  /** @throws RegoError for the first error in the modules, which is not cached */
  get(modules: readonly ModuleSource[]): Engine {
    const key = contentKey(modules)
    const engine = this.engines.get(key) ?? createEngine({ ...this.options, modules })
    // Most recent last.
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

function contentKey(modules: readonly ModuleSource[]): string {
  const hash = createHash('sha256')
  for (const { name, source } of modules) {
    hash.update(`${Buffer.byteLength(name)}:${name}${Buffer.byteLength(source)}:`).update(source)
  }
  return hash.digest('base64')
}
