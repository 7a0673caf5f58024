import { join } from 'node:path'
import { type ComponentInterface, readInterface } from './componentInterface.ts'
import { OracleError } from './oracleError.ts'
import { readCached, writeCached } from './transpileCache.ts'
import type { Transpiler } from './transpiler.ts'

/** A component in the form that is run: core modules, and the code that joins them. */
export interface TranspiledComponent extends ComponentInterface {
  /** Size of the component it was made of, bytes. */
  componentBytes: number
  source: string
  /** Core modules by the name under which `source` asks for them. */
  modules: Record<string, Uint8Array>
}

/** Part of the cache's path, so that another transpiler never reads what this one wrote. */
export const transpilerVersion = 'jco-1.35.0-6'

const componentVersion = [0x0d, 0x00, 0x01, 0x00]

/**
 * The transpiled form of a component, from the disk cache or made anew. Several processes may share
 * a cache.
 *
 * @param key content id of the component; letters and digits
 * @param component called only when the cache has no entry
 * @throws OracleError `component` when the bytes are no component
 */
export async function transpiledComponent(options: {
  key: string
  cacheDir: string
  component: () => Promise<Uint8Array>
  transpiler: Transpiler
  owner?: string | undefined
}): Promise<TranspiledComponent> {
  const { key, cacheDir, component, transpiler, owner } = options
  if (!/^[A-Za-z0-9]+$/.test(key)) throw new OracleError('content', `${key} is no content id`)
  const path = join(cacheDir, transpilerVersion, key)
  const cached = await readCached(path)
  if (cached) return cached
  const fresh = await transpile(await component(), transpiler, owner)
  await writeCached(path, fresh)
  return fresh
}

async function transpile(
  component: Uint8Array,
  transpiler: Transpiler,
  owner: string | undefined,
): Promise<TranspiledComponent> {
  if (componentVersion.some((byte, index) => component[4 + index] !== byte)) {
    throw new OracleError('component', 'the bytes are no WebAssembly component')
  }
  const { wit, files } = await transpiler.transpile(component, owner)
  const names = Object.keys(files)
  const code = names.find((name) => name.endsWith('.js'))
  if (code === undefined) throw new OracleError('component', 'the component has no code')
  return {
    ...readInterface(wit),
    componentBytes: component.length,
    source: new TextDecoder().decode(files[code]),
    modules: Object.fromEntries(
      Object.entries(files).filter(([name]) => /^[\w.-]+\.wasm$/.test(name)),
    ),
  }
}
