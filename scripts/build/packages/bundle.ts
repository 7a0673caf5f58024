import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { PackageDefinition } from './definitions.ts'
import { bundlePlugins } from './plugins.ts'
import { scriptFiles } from './scriptFiles.ts'

export const root = fileURLToPath(new URL('../../../', import.meta.url))

export type Bundle = {
  /** Contents by path below the package: `dist/polgate.mjs`. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Sources and modules of packages that went in. */
  readonly inputs: readonly string[]
}

/** `new URL('./thread.worker.mjs', import.meta.url)` in a source. */
const workerUrl = /new URL\(\s*'(\.[^']*\.worker\.mjs)'\s*,\s*import\.meta\.url/g

/** The file in `dist` of the module that a subpath of the package exports. */
export const distName = (subpath: string): string =>
  subpath === '.' ? 'index' : subpath.replace('./', '').replaceAll('/', '-')

/**
 * Bundles the modules of a package, with the threads that they start, into `dist`. A file that a module
 * finds beside itself is found below `files`, under the path that it has in this repository.
 * @throws Error where esbuild fails, or gives an error class another name
 */
export async function bundle(definition: PackageDefinition): Promise<Bundle> {
  if (definition.exports === undefined && definition.commands === undefined)
    return { files: new Map(), inputs: [] }
  const threads: Record<string, string> = {}
  let built = await esbuild(definition, threads)
  for (;;) {
    const started = workersOf(Object.keys(built.metafile.inputs))
    const further = started.filter((file) => !Object.values(threads).includes(file))
    if (further.length === 0) break
    for (const file of further) threads[posix.basename(file, '.mjs')] = file
    built = await esbuild(definition, threads)
  }
  const files = new Map(outputsOf(built, 'dist'))
  const inBrowsers = definition.browser ? await esbuild(definition, {}, 'browser') : undefined
  for (const [path, contents] of outputsOf(inBrowsers, 'dist/browser')) files.set(path, contents)
  for (const [name, file] of Object.entries(threads)) {
    const up = posix.relative(posix.dirname(`files/${file}`), 'dist')
    // A pool calls what the file of its threads exports.
    files.set(`files/${file}`, Buffer.from(`export * from '${up}/${name}.mjs'\n`))
  }
  const script = await scriptFiles(definition, installedBeside(definition), root)
  for (const [path, contents] of script.files) files.set(path, contents)
  const inputs = [built, inBrowsers].flatMap((each) => Object.keys(each?.metafile.inputs ?? {}))
  checkErrorNames(files, ownSources(inputs))
  return { files, inputs: [...inputs, ...script.inputs] }
}

/** Errors are shown by the names of their classes, which a bundler changes where two are the same. */
function checkErrorNames(files: Bundle['files'], sources: readonly string[]): void {
  const errors = new Set(
    sources.flatMap((source) => classesOfErrors(readFileSync(`${root}${source}`, 'utf8'))),
  )
  for (const [path, contents] of files) {
    if (!/\.[cm]js$/.test(path)) continue
    for (const name of classesOfErrors(Buffer.from(contents).toString())) {
      const original = name.replace(/^_|\d+$/g, '')
      if (errors.has(name) || !errors.has(original)) continue
      throw new Error(
        `${path} has the error class ${original} as ${name}: rename one of its namesakes`,
      )
    }
  }
}

/** A class without a name of its own has that of its variable. */
const classesOfErrors = (text: string): string[] =>
  [...text.matchAll(/\b(?:(\w+)\s*=\s*)?class(?: (\w+))? extends \w*Error\d*\b/g)].map(
    ([, variable = '', name = variable]) => name,
  )

type Built = Awaited<ReturnType<typeof esbuild>>

const outputsOf = (
  built: Built | undefined,
  directory: string,
): (readonly [path: string, contents: Uint8Array])[] =>
  (built?.outputFiles ?? []).map(({ path, contents }) => [
    `${directory}/${posix.basename(path)}`,
    path.endsWith('.map') ? withoutSources(contents) : contents,
  ])

/** Files of threads that modules start. */
function workersOf(inputs: readonly string[]): string[] {
  return ownSources(inputs).flatMap((source) =>
    [...readFileSync(`${root}${source}`, 'utf8').matchAll(workerUrl)].map(([, relative = '']) =>
      posix.join(posix.dirname(source), relative),
    ),
  )
}

const ownSources = (inputs: readonly string[]): string[] =>
  inputs.filter((input) => !input.includes('node_modules/') && /\.m?ts$/.test(input))

/** The text of our sources goes into the maps; that of packages would double their size. */
function withoutSources(contents: Uint8Array): Uint8Array {
  const map = JSON.parse(Buffer.from(contents).toString()) as {
    sources: string[]
    sourcesContent: (string | null)[]
  }
  map.sourcesContent = map.sourcesContent.map((text, at) =>
    map.sources[at]?.includes('node_modules/') ? null : text,
  )
  return Buffer.from(JSON.stringify(map))
}

export const installedBeside = ({
  dependencies = [],
  optionalDependencies = [],
  peers = [],
  optionalPeers = [],
}: PackageDefinition): string[] => [
  ...dependencies,
  ...optionalDependencies,
  ...peers,
  ...optionalPeers,
]

const esbuild = (
  definition: PackageDefinition,
  threads: Readonly<Record<string, string>>,
  platform: 'node' | 'browser' = 'node',
) =>
  build({
    absWorkingDir: root,
    entryPoints: {
      ...definition.commands,
      ...Object.fromEntries(
        Object.entries(definition.exports ?? {})
          .filter(([path]) => platform === 'node' || !definition.onlyOnNode?.includes(path))
          .map(([path, source]) => [distName(path), source]),
      ),
      ...threads,
    },
    outdir: 'dist',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    write: false,
    format: 'esm',
    platform,
    target: platform === 'browser' ? 'es2022' : 'node20',
    sourcemap: definition.sourceMaps === false ? false : 'linked',
    minifySyntax: true,
    minifyWhitespace: definition.exports === undefined,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    external: installedBeside(definition),
    ...(definition.browser ? {} : { banner: { js: requireOfNode } }),
    plugins: bundlePlugins(definition),
  })

/** Bundled CommonJS modules ask for what is built into Node. */
const requireOfNode =
  "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);"
