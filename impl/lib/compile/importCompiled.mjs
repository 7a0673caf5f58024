// @ts-check
/**
 * Loads the TypeScript of this repository in processes and threads. Plain JavaScript, because it
 * runs before any loader.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { cache, current, nameOf, root } from './bundleCache.mjs'
import { scriptOptions, scriptPlugins } from './scriptBundle.mjs'
import { showSourcesInStacks } from './sourceStacks.mjs'

/**
 * Packages that are bundled with the sources: modules without extra files. They consist of hundreds
 * of small files; loading those takes most of the CPU time of a thread's start, and most of them tree
 * shaking removes. Their own dependencies are in this list or in Node.
 */
const bundledPackages = new Set([
  '@hono/node-server',
  '@hpke/chacha20poly1305',
  '@hpke/common',
  '@hpke/core',
  '@hpke/dhkem-x25519',
  '@hpke/dhkem-x448',
  '@noble/ciphers',
  '@noble/curves',
  '@noble/hashes',
  '@sinclair/typebox',
  '@scure/base',
  '@scure/bip32',
  '@scure/bip39',
  'abitype',
  'ajv',
  'ajv-formats',
  'fast-deep-equal',
  'fast-uri',
  'graphql',
  'hono',
  'hpke-js',
  'ipaddr.js',
  'json-schema-traverse',
  'multiformats',
  'ox',
  're2js',
  'semver',
  'viem',
  'yaml',
])

/** Bundled with scripts too, where they can require what is built into Node. */
const packagesOfScripts = new Set([...bundledPackages, 'commander', 'picocolors'])

/** Written by npm on every installation: a bundle contains packages as of then. */
const installed = 'node_modules/.package-lock.json'

/** What makes bundles: another version of it makes others of the same sources. */
const builders = ['importCompiled', 'loadScript', 'scriptBundle'].map(
  (name) => `impl/lib/compile/${name}.mjs`,
)

/** A running process may still use an outdated bundle. */
const keptMs = 24 * 60 * 60 * 1000

/**
 * Imports a TypeScript module. Its bundle is built on first use and rebuilt when a source has
 * changed: loading it takes a third of the CPU time of loading several hundred modules. If the
 * cache is not writable, the sources are loaded.
 *
 * @param {string} path from the root of the repository, for example `impl/cli/main.ts`
 */
export async function importCompiled(path) {
  const main = (await current(path)) ?? (await compiled(path).catch(() => undefined))
  if (main === undefined) return importSource(path)
  showSourcesInStacks(cache)
  return import(pathToFileURL(main).href)
}

/**
 * The export `value` of a TypeScript module, as JSON can hold it. It is computed once for each bundle of
 * the module and kept beside it: reading it loads neither the module nor what it imports.
 * @param {string} path from the top of the repository
 * @returns {Promise<unknown>}
 */
export async function compiledValue(path) {
  const main = (await current(path)) ?? (await compiled(path).catch(() => undefined))
  if (main === undefined) return (await importSource(path)).value
  const file = `${main}.json`
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    const { value } = await import(pathToFileURL(main).href)
    const draft = `${file}.${process.pid}`
    await writeFile(draft, JSON.stringify(value))
      .then(() => rename(draft, file))
      .catch(() => {})
    return value
  }
}

/**
 * Imports a TypeScript module without a bundle, with everything it imports.
 * @param {string} path from the top of the repository
 */
export async function importSource(path) {
  const { register } = await import('tsx/esm/api')
  register()
  return import(pathToFileURL(join(root, path)).href)
}

/** Times of files may be behind the clock of the process by as much. */
const clockStepMs = 20

/** Builds in progress in this process: they share one process of esbuild, which the last one ends. */
let builds = 0

/**
 * Bundles a module with everything it imports from this repository and from `bundledPackages`;
 * other packages stay external.
 *
 * @param {string} path
 * @param {boolean} asScript one file, which is not a module
 * @returns {Promise<string>} the file to import
 */
export async function compiled(path, asScript = false) {
  const { build, stop } = await import('esbuild')
  builds += 1
  const name = nameOf(path, asScript)
  const bundlesPackages = existsSync(join(root, installed))
  const unique = `${process.pid}-${Math.random().toString(36).slice(2)}`
  const draft = join(cache, `${name}.${unique}`)
  const begun = Date.now() - clockStepMs
  try {
    await mkdir(draft, { recursive: true })
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: [path],
      outdir: draft,
      outExtension: { '.js': asScript ? '.cjs' : '.mjs' },
      bundle: true,
      splitting: !asScript,
      format: asScript ? 'cjs' : 'esm',
      platform: 'node',
      target: 'node20',
      sourcemap: 'linked',
      sourcesContent: false,
      ...(asScript ? scriptOptions : { charset: 'ascii' }),
      metafile: true,
      logLevel: 'silent',
      plugins: [
        ...(asScript ? scriptPlugins : [requiredBuiltins]),
        ...(bundlesPackages ? [graphqlModules] : []),
        resolvePackages(bundlesPackages, asScript ? packagesOfScripts : bundledPackages),
        ...(asScript ? [computedValues] : []),
        keepModuleUrls,
      ],
    })
    const foreign = new RegExp(`node_modules/|^(?:${requiredBuiltin}|late-child-process):`)
    const inputs = Object.keys(metafile.inputs).filter((input) => !foreign.test(input))
    inputs.push(...builders)
    if (bundlesPackages) inputs.push(installed)
    const sources = inputs.sort().map((input) => {
      const { mtimeMs, size } = statSync(join(root, input))
      return /** @type {const} */ ([input, mtimeMs, size])
    })
    // A source that changed meanwhile may be in the bundle as it was before: it is used this once.
    const changed = sources.some(([, changedMs]) => changedMs >= begun)
    const digest = createHash('sha256').update(JSON.stringify(sources)).digest('hex').slice(0, 16)
    const directory = `${name}.${changed ? `${digest}-${unique}` : digest}`
    const made = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === path)
    const main = relative(draft, resolve(root, /** @type {[string, unknown]} */ (made)[0]))
    // Another process was first and has written the same.
    await rename(draft, join(cache, directory)).catch(() => {})
    if (!existsSync(join(cache, directory, main))) throw new Error(`not written: ${directory}`)
    if (changed) return join(cache, directory, main)
    const manifest = JSON.stringify({ directory, main, sources })
    await writeFile(`${draft}.json`, manifest)
    await rename(`${draft}.json`, join(cache, `${name}.json`))
    await removeOld(name, directory)
    return join(cache, directory, main)
  } finally {
    builds -= 1
    await rm(draft, { recursive: true, force: true })
    if (builds === 0) await stop()
  }
}

/**
 * @param {string} name
 * @param {string} directory the one to keep
 */
async function removeOld(name, directory) {
  for (const each of await readdir(cache)) {
    if (!each.startsWith(`${name}.`) || each === directory || each === `${name}.json`) continue
    const { mtimeMs } = await stat(join(cache, each)).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > keptMs) await rm(join(cache, each), { recursive: true, force: true })
  }
}

/** Packages of this repository, whose modules are TypeScript. */
const workspacePackage = /^polgate(-[a-z-]+)?\//

/**
 * Marks packages as external, except those of this repository and `bundledPackages`.
 *
 * @param {boolean} bundles whether the latter are bundled
 * @param {ReadonlySet<string>} packages
 */
const resolvePackages = (bundles, packages) => ({
  name: 'resolve-packages',
  /** @param {import('esbuild').PluginBuild} build */
  setup(build) {
    // What begins with # is in the manifest of the importing package.
    build.onResolve({ filter: /^[^./#]/ }, ({ path, kind }) => {
      if (kind === 'entry-point' || workspacePackage.test(path)) return undefined
      const [scope = '', name] = path.split('/')
      const bundled = packages.has(scope.startsWith('@') ? `${scope}/${name}` : scope)
      return bundles && bundled ? undefined : { path, external: true }
    })
  },
})

const requiredBuiltin = 'required-builtin'

/** What CommonJS packages require of Node, which an ES module can only import. */
const requiredBuiltins = {
  name: 'required-builtins',
  /** @param {import('esbuild').PluginBuild} build */
  setup(build) {
    build.onResolve({ filter: /^[a-z]/ }, ({ path, kind }) =>
      kind === 'require-call' && isBuiltin(path) ? { path, namespace: requiredBuiltin } : undefined,
    )
    build.onLoad({ filter: /^/, namespace: requiredBuiltin }, ({ path }) => ({
      contents: `export * from 'node:${path.replace(/^node:/, '')}'`,
    }))
  },
}

/** A script requires the values of `compiledValue` by their paths: it cannot await them. */
const computedValues = {
  name: 'computed-values',
  /** @param {import('esbuild').PluginBuild} build */
  setup(build) {
    build.onLoad({ filter: /\/described\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8')
        .replace(/^import \{ compiledValue \}.*$/m, '')
        .replace('await compiledValue(', 'require('),
      loader: 'ts',
    }))
  },
}

/**
 * Takes the ES modules of graphql, which are next to its CommonJS modules: tree shaking removes
 * nothing of the latter.
 */
const graphqlModules = {
  name: 'graphql-modules',
  /** @param {import('esbuild').PluginBuild} build */
  setup(build) {
    build.onResolve({ filter: /^graphql(\/.*\.js)?$/ }, ({ path, kind, resolveDir }) => {
      const module = path === 'graphql' ? 'graphql/index.mjs' : path.replace(/js$/, 'mjs')
      return build.resolve(module, { kind, resolveDir })
    })
  },
}

/**
 * Resolves files next to a module (workers, artifacts, fixtures) from its source, not from the
 * bundle.
 */
const keepModuleUrls = {
  name: 'keep-module-urls',
  /** @param {import('esbuild').PluginBuild} build */
  setup(build) {
    build.onLoad({ filter: /\.(ts|mjs)$/ }, async ({ path }) => {
      if (path.includes('/node_modules/')) return undefined
      const contents = readFileSync(path, 'utf8')
      if (!contents.includes('import.meta.url')) return undefined
      // Not by text: a source may have these words in a string.
      const { code } = await build.esbuild.transform(contents, {
        define: { 'import.meta.url': JSON.stringify(pathToFileURL(path).href) },
        loader: path.endsWith('.ts') ? 'ts' : 'js',
        sourcefile: path,
        sourcemap: 'inline',
        sourcesContent: false,
        target: 'node20',
        tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
      })
      return { contents: code, loader: 'js' }
    })
  },
}
