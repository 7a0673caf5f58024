import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type ComponentInterface, readInterface } from './componentInterface.ts'
import { formatMs } from './limits.ts'
import { OracleError } from './oracleError.ts'

/** A component in the form that is run: core modules, and the code that joins them. */
export interface TranspiledComponent extends ComponentInterface {
  /** Size of the component it was made of, bytes. */
  componentBytes: number
  source: string
  /** Core modules by the name under which `source` asks for them. */
  modules: Record<string, Uint8Array>
}

/** Part of the cache's path, so that another transpiler never reads what this one wrote. */
export const transpilerVersion = 'jco-1.35.0-2'

const transpileMs = 60_000
const componentVersion = [0x0d, 0x00, 0x01, 0x00]

/**
 * The transpiled form of a component, from the disk cache or made anew. Safe with several processes
 * on one cache: an entry is written aside and renamed into place whole.
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
  const directory = join(cacheDir, transpilerVersion, key)
  const cached = await readEntry(directory)
  if (cached) return cached
  const fresh = await transpile(await component())
  await writeEntry(directory, fresh)
  return fresh
}

interface Manifest extends ComponentInterface {
  componentBytes: number
  modules: string[]
}

async function readEntry(directory: string): Promise<TranspiledComponent | undefined> {
  try {
    const text = await readFile(join(directory, 'manifest.json'), 'utf8')
    const manifest = JSON.parse(text) as Manifest
    const modules = await Promise.all(
      manifest.modules.map(async (name) => [name, await readFile(join(directory, name))] as const),
    )
    return {
      componentBytes: manifest.componentBytes,
      imports: manifest.imports,
      run: manifest.run,
      source: await readFile(join(directory, 'oracle.js'), 'utf8'),
      modules: Object.fromEntries(modules),
    }
  } catch {
    return undefined
  }
}

async function writeEntry(directory: string, fresh: TranspiledComponent): Promise<void> {
  const aside = `${directory}.${randomUUID()}`
  const { source, modules, ...rest } = fresh
  await mkdir(aside, { recursive: true })
  try {
    const manifest: Manifest = { ...rest, modules: Object.keys(modules) }
    await writeFile(join(aside, 'oracle.js'), source)
    for (const [name, bytes] of Object.entries(modules)) await writeFile(join(aside, name), bytes)
    await writeFile(join(aside, 'manifest.json'), JSON.stringify(manifest))
    await rename(aside, directory)
  } catch {
    // Another process was first, or the disk is full: the cache is a convenience, the run goes on.
    await rm(aside, { recursive: true, force: true })
  }
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
