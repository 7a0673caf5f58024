import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CannotRun } from '../core/conformanceError.ts'
import { shownPath } from './findFiles.ts'

/** What a module of a user exports, and where a thread imports the same from. */
export type ImportedModule = {
  /** Absolute path of the source. */
  readonly path: string
  readonly url: string
  readonly exports: Readonly<Record<string, unknown>>
}

type Esbuild = {
  readonly buildSync: (options: Readonly<Record<string, unknown>>) => {
    readonly outputFiles?: readonly { readonly contents: Uint8Array }[]
  }
}

const isTypeScript = (path: string) => /\.m?ts$/.test(path)

/** Node from 22.18 on removes types itself. */
const nodeStripsTypes = () =>
  Boolean((process.features as { readonly typescript?: unknown }).typescript)

/** The file's own esbuild, that of its tsx, or the one of the suite. */
async function esbuildFor(path: string): Promise<Esbuild | undefined> {
  for (const from of [path, import.meta.url])
    for (const through of [[], ['tsx'], ['vite']]) {
      try {
        const near = through.reduce((at, name) => createRequire(at).resolve(name), from)
        const place = createRequire(near).resolve('esbuild')
        const { default: esbuild } = (await import(pathToFileURL(place).href)) as {
          default: Esbuild
        }
        return esbuild
      } catch {
        // Not installed there.
      }
    }
  return undefined
}

/** All that a file of checks needs of the suite at run time: the types are gone by then. */
const suiteAtRunTime = 'export const defineCheck = (check) => check\n'

/** Joined: builds of this repository replace the expression wherever they read it. */
const moduleUrl = ['import', 'meta', 'url'].join('.')

/** Bundles a module with what it imports; the build ends with this call. */
function compile(esbuild: Esbuild, path: string, directory: string): string {
  const place = mkdtempSync(join(directory, 'module-'))
  const suite = join(place, 'suite.mjs')
  writeFileSync(suite, suiteAtRunTime)
  const outfile = join(place, `${basename(path).replace(/\.[^.]*$/, '')}.mjs`)
  esbuild.buildSync({
    entryPoints: [path],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'inline',
    logLevel: 'silent',
    alias: { 'polgate-conformance': suite },
    // Bundled CommonJS modules ask for what is built into Node.
    banner: {
      js: `import { createRequire as __createRequire } from 'node:module';const require = __createRequire(${moduleUrl});`,
    },
  })
  return pathToFileURL(outfile).href
}

/** The suite is not installed where the file is, as in a clone. */
const lacksSuite = (error: unknown) =>
  (error as { code?: unknown }).code === 'ERR_MODULE_NOT_FOUND' &&
  String((error as Error).message).includes("'polgate-conformance'")

/** Of an error of esbuild the first message, of others the first line. */
function firstLine(error: unknown): string {
  const [first] = (error as { errors?: readonly BuildMessage[] }).errors ?? []
  if (first === undefined) return lineOf(error)
  return `${first.location ? `line ${first.location.line}: ` : ''}${first.text.slice(0, 300)}`
}

type BuildMessage = { readonly text: string; readonly location: { readonly line: number } | null }

const lineOf = (error: unknown) =>
  String(error instanceof Error ? error.message : error)
    .split('\n', 1)[0]!
    .slice(0, 300)

async function importOne(path: string, cwd: string, directory: () => string) {
  const name = shownPath(path, cwd)
  if (!existsSync(path)) throw new CannotRun(`cannot load ${name}: there is no such file`)
  const own = pathToFileURL(path)
  // A changed file is another module: one process may run several times.
  own.searchParams.set('changed', String(statSync(path).mtimeMs))
  const load = async (url: string): Promise<ImportedModule> => ({
    path,
    url,
    exports: (await import(url)) as Readonly<Record<string, unknown>>,
  })
  const compiled = async (): Promise<ImportedModule | undefined> => {
    const esbuild = await esbuildFor(path)
    return esbuild && (await load(compile(esbuild, path, directory())))
  }
  const cannotLoad = (hint: string) =>
    new CannotRun(`cannot load ${name} with Node ${process.versions.node}`, hint)
  try {
    // Where there is a compiler, every version of Node loads the same TypeScript: Node itself refuses an enum.
    const fromTypeScript = isTypeScript(path) ? await compiled() : undefined
    if (fromTypeScript !== undefined) return fromTypeScript
    if (isTypeScript(path) && !nodeStripsTypes())
      throw cannotLoad(
        'Install tsx beside it (npm install --save-dev tsx), use Node 22.18 or later, or write it as .mjs.',
      )
    return await load(own.href).catch(async (error) => {
      if (!lacksSuite(error)) throw error
      const module = await compiled()
      if (module !== undefined) return module
      throw cannotLoad(
        'It imports polgate-conformance: install that beside it, or import only its types.',
      )
    })
  } catch (error) {
    if (error instanceof CannotRun) throw error
    throw new CannotRun(`cannot load ${name}: ${firstLine(error)}`, undefined, error)
  }
}

/**
 * Imports modules of a user, JavaScript or TypeScript, whatever loads the suite itself. `close` removes
 * what was compiled for them, which threads may import until then.
 * @throws CannotRun with the file and the first line of what is wrong
 */
export async function importModules(
  paths: readonly string[],
  cwd: string,
): Promise<{ readonly modules: readonly ImportedModule[]; readonly close: () => void }> {
  let made: string | undefined
  const directory = () => (made ??= mkdtempSync(join(tmpdir(), 'polgate-modules-')))
  const close = () => {
    if (made !== undefined) rmSync(made, { recursive: true, force: true })
  }
  try {
    const modules: ImportedModule[] = []
    for (const path of paths) modules.push(await importOne(path, cwd, directory))
    return { modules, close }
  } catch (error) {
    close()
    throw error
  }
}
