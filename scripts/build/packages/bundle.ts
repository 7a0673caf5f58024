import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'
import type { PackageDefinition } from './definitions.ts'

export const root = fileURLToPath(new URL('../../../', import.meta.url))

export type Bundle = {
  /** Contents by path below the package: `dist/polgate.mjs`. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Sources and modules of packages that went in. */
  readonly inputs: readonly string[]
}

/** `new URL('./thread.worker.mjs', import.meta.url)` in a source. */
const workerUrl = /new URL\(\s*'(\.[^']*\.worker\.mjs)'\s*,\s*import\.meta\.url/g

/** What a worker file loads. */
const loaded = /(?:importCompiled|load)\(\s*'([^']+\.ts)'/

/**
 * Bundles the modules of a package, with the threads that they start, into `dist`. A file that a module
 * finds beside itself is found below `files`, under the path that it has in this repository.
 * @throws Error where esbuild fails, or a thread's file does not name its module
 */
export async function bundle(definition: PackageDefinition): Promise<Bundle> {
  const workers = await workersOf(definition)
  const threads = Object.fromEntries(
    [...workers.values()].map((source) => [nameOf(source), source]),
  )
  const { outputFiles, metafile } = await esbuild(definition, threads)
  const files = new Map<string, Uint8Array>(
    outputFiles.map(({ path, contents }) => [`dist/${posix.basename(path)}`, contents]),
  )
  for (const [file, source] of workers) {
    const up = posix.relative(posix.dirname(`files/${file}`), 'dist')
    files.set(`files/${file}`, Buffer.from(`import '${up}/${nameOf(source)}.mjs'\n`))
  }
  return { files, inputs: Object.keys(metafile.inputs) }
}

const installedBeside = ({
  dependencies = [],
  optionalDependencies = [],
  optionalPeers = [],
}: PackageDefinition): string[] => [...dependencies, ...optionalDependencies, ...optionalPeers]

const nameOf = (source: string): string => posix.basename(source, '.ts')

/** Files of threads that the package starts, and the module that each loads. */
async function workersOf(definition: PackageDefinition): Promise<ReadonlyMap<string, string>> {
  const workers = new Map<string, string>()
  const { metafile } = await esbuild(definition, {})
  for (const input of Object.keys(metafile.inputs)) {
    if (!isOurs(input) || !/\.m?ts$/.test(input)) continue
    for (const [, relative = ''] of readFileSync(`${root}${input}`, 'utf8').matchAll(workerUrl)) {
      const file = posix.join(posix.dirname(input), relative)
      const source = loaded.exec(readFileSync(`${root}${file}`, 'utf8'))?.[1]
      if (source === undefined) throw new Error(`${file} does not say which module it loads`)
      workers.set(file, source)
    }
  }
  return workers
}

const isOurs = (input: string): boolean => !input.includes('node_modules/')

const esbuild = (definition: PackageDefinition, threads: Readonly<Record<string, string>>) =>
  build({
    absWorkingDir: root,
    entryPoints: { ...definition.entries, ...threads },
    outdir: 'dist',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    external: installedBeside(definition),
    // Bundled CommonJS modules ask for what is built into Node.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
    },
    plugins: [filesOfPackage],
  })

/** `await compiledValue('conformance/checks/describe.ts')` in a source. */
const computed = /await compiledValue\(\s*'([^']+)',?\s*\)/

/** A module's `import.meta.url` becomes its place below `files`; values computed from sources are inlined. */
const filesOfPackage: Plugin = {
  name: 'files-of-package',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.(ts|mjs)$/ }, async ({ path }) => {
      if (!path.startsWith(root) || path.includes('/node_modules/')) return undefined
      const place = JSON.stringify(`../files/${path.slice(root.length)}`)
      const source = readFileSync(path, 'utf8')
      const value = computed.exec(source)?.[1]
      return {
        contents: source
          .replace(computed, JSON.stringify(value && (await import(root + value)).value))
          .replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`),
        loader: path.endsWith('.ts') ? 'ts' : 'js',
      }
    })
  },
}
