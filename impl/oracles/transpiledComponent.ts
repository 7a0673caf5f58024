import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type ComponentInterface, readInterface } from './componentInterface.ts'
import { formatMs } from './limits.ts'
import { OracleError } from './oracleError.ts'
import { readCached, writeCached } from './transpileCache.ts'

/** A component in the form that is run: core modules, and the code that joins them. */
export interface TranspiledComponent extends ComponentInterface {
  /** Size of the component it was made of, bytes. */
  componentBytes: number
  source: string
  /** Core modules by the name under which `source` asks for them. */
  modules: Record<string, Uint8Array>
}

/** Part of the cache's path, so that another transpiler never reads what this one wrote. */
export const transpilerVersion = 'jco-1.35.0-3'

const transpileMs = 60_000
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
}): Promise<TranspiledComponent> {
  const { key, cacheDir, component } = options
  if (!/^[A-Za-z0-9]+$/.test(key)) throw new OracleError('content', `${key} is no content id`)
  const path = join(cacheDir, transpilerVersion, key)
  const cached = await readCached(path)
  if (cached) return cached
  const fresh = await transpile(await component())
  await writeCached(path, fresh)
  return fresh
}

async function transpile(component: Uint8Array): Promise<TranspiledComponent> {
  if (componentVersion.some((byte, index) => component[4 + index] !== byte)) {
    throw new OracleError('component', 'the bytes are no WebAssembly component')
  }
  const { wit, files } = await inWorker(component)
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

interface Transpiled {
  wit: string
  files: Record<string, Uint8Array>
}

async function inWorker(component: Uint8Array): Promise<Transpiled> {
  const worker = new Worker(new URL('./transpile.worker.mjs', import.meta.url), {
    workerData: { component },
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
  })
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise<Transpiled>((resolve, reject) => {
      const refuse = (details: string) => reject(new OracleError('component', details))
      timer = setTimeout(
        () => refuse(`the component could not be read within ${formatMs(transpileMs)}`),
        transpileMs,
      )
      worker.once('message', (answer: Transpiled | { error: string }) => {
        if ('error' in answer) refuse(`the component is not valid: ${firstLine(answer.error)}`)
        else resolve(answer)
      })
      worker.once('error', (error) =>
        refuse(`the component is not valid: ${firstLine(error.message)}`),
      )
      worker.once('exit', () => refuse('the component could not be read'))
    })
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.slice(0, 300) ?? ''
}
