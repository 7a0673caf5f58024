import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readInterface } from './componentInterface.ts'
import { withFileLock } from './fileLock.ts'
import { OracleError } from './oracleError.ts'
import {
  readAlias,
  readCached,
  type TranspiledComponent,
  writeAlias,
  writeCached,
} from './transpileCache.ts'
import type { Transpiler } from './transpiler.ts'

/** Part of the cache's path, so that a different transpiler never reads these files. */
export const transpilerVersion = 'jco-transpile-0.15.0-7'

const componentVersion = [0x0d, 0x00, 0x01, 0x00]

/**
 * The transpiled form of a component, from the disk cache or created. Several processes may share a
 * cache. Entries are named by the hash of the component's bytes, so that all of them find an entry,
 * whatever the content id; one process creates it while others wait.
 *
 * @param key content id of the component, letters and digits; absent when only its bytes are known
 * @param component called only when the cache has no entry for the content id
 * @throws OracleError `component` when the bytes are not a component; `work` and `late` of the
 * transpiler
 */
export async function transpiledComponent(options: {
  key?: string
  cacheDir: string
  component: () => Promise<Uint8Array>
  transpiler: Transpiler
  owner?: string | undefined
}): Promise<TranspiledComponent> {
  const { key, component, transpiler, owner } = options
  if (key !== undefined && !/^[A-Za-z0-9]+$/.test(key)) {
    throw new OracleError('content', `${key} is not a content id`)
  }
  const directory = join(options.cacheDir, transpilerVersion)
  const alias = key === undefined ? undefined : join(directory, 'ids', key)
  const known = alias === undefined ? undefined : await readAlias(alias)
  const cached = known === undefined ? undefined : await readCached(join(directory, known))
  if (cached) return cached
  const bytes = await component()
  const hash = createHash('sha256').update(bytes).digest('hex')
  const path = join(directory, hash)
  const found = (await readCached(path)) ?? (await makeOnce(path, bytes))
  if (alias !== undefined) await writeAlias(alias, hash)
  return found

  async function makeOnce(place: string, from: Uint8Array): Promise<TranspiledComponent> {
    return await withFileLock(`${place}.lock`, async () => {
      // Another process may have created it in the meantime.
      const meanwhile = await readCached(place)
      if (meanwhile) return meanwhile
      const fresh = await transpile(from, transpiler, { key: hash, owner })
      await writeCached(place, fresh)
      return fresh
    })
  }
}

/** Whether a cache has an entry for a content id. The entry itself is not read. */
export async function isTranspiled(options: { key: string; cacheDir: string }): Promise<boolean> {
  const directory = join(options.cacheDir, transpilerVersion)
  const hash = await readAlias(join(directory, 'ids', options.key))
  return hash !== undefined && existsSync(join(directory, hash))
}

async function transpile(
  component: Uint8Array,
  transpiler: Transpiler,
  who: { readonly key: string; readonly owner?: string | undefined },
): Promise<TranspiledComponent> {
  if (componentVersion.some((byte, index) => component[4 + index] !== byte)) {
    throw new OracleError('component', 'the bytes are not a WebAssembly component')
  }
  const { wit, files } = await transpiler.transpile(component, who)
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
