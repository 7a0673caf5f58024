import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Plugin, transform } from 'esbuild'
import { suiteCommands } from '../../../impl/cli/suite/commands.ts'
import type { PackageDefinition } from './definitions.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

export const bundlePlugins = (definition: PackageDefinition): Plugin[] => [
  emptyModules(definition.unused ?? []),
  ...(definition.browser ? [esModules] : []),
  ownDependencies(definition.dependencies ?? []),
  sourcesOfPackage(definition),
]

/**
 * The ES modules of packages that offer CommonJS to Node: of the latter, tree shaking removes nothing,
 * and a library has no `require`.
 */
const esModules: Plugin = {
  name: 'es-modules',
  setup: (build) => {
    build.onResolve({ filter: /^(?:graphql(?:\/.*\.js)?|yaml)$/ }, ({ path, kind, resolveDir }) => {
      const module =
        path === 'yaml'
          ? `${root}node_modules/yaml/browser/index.js`
          : path === 'graphql'
            ? 'graphql/index.mjs'
            : path.replace(/js$/, 'mjs')
      return build.resolve(module, { kind, resolveDir })
    })
  },
}

/** A package of this repository that is installed beside a bundle is imported by its name. */
const ownDependencies = (dependencies: readonly string[]): Plugin => ({
  name: 'own-dependencies',
  setup: (build) => {
    build.onResolve({ filter: /^polgate-[a-z]+\/index\.ts$/ }, ({ path }) => {
      const name = path.slice(0, -'/index.ts'.length)
      return dependencies.includes(name) ? { path: name, external: true } : undefined
    })
  },
})

/** `await compiledValue('conformance/checks/describe.ts')` in a source. */
const computed = /await compiledValue\(\s*'([^']+)',?\s*\)/

/** `await importCompiled('impl/service/store/storeThread.ts')` in the file of a thread. */
const compiled = /await importCompiled\('([^']+)'\)/g

const importOfCompiler = /^import \{[^}]*\} from 'polgate-lib\/compile\/importCompiled\.mjs'$/gm

/**
 * A module's `import.meta.url` becomes its place below `files`; values that are computed from sources are
 * inlined; modules that a clone compiles on first use are part of the bundle.
 */
const sourcesOfPackage = (definition: PackageDefinition): Plugin => ({
  name: 'sources-of-package',
  setup: ({ onLoad }) => {
    const named = commandName(definition)
    const { replaced = {} } = definition
    onLoad({ filter: /\.(ts|mjs)$/ }, async ({ path }) => {
      if (!path.startsWith(root) || path.includes('/node_modules/')) return undefined
      const source = replaced[path.slice(root.length)] ?? readFileSync(path, 'utf8')
      const value = computed.exec(source)?.[1]
      const loadsCompiled = path.endsWith('.worker.mjs') || value !== undefined
      const loader = path.endsWith('.ts') ? 'ts' : 'js'
      const contents = named(loadsCompiled ? source.replace(importOfCompiler, '') : source)
        .replace(computed, JSON.stringify(value && (await import(root + value)).value))
        .replace(compiled, (_, module) => `await import(${JSON.stringify(root + module)})`)
      if (!contents.includes('import.meta.url')) return { contents, loader }
      // Not by text: a source may have these words in a string.
      const { code } = await transform(contents, {
        define: { 'import.meta.url': '__moduleUrl' },
        loader,
        sourcefile: path,
        sourcemap: 'inline',
        target: 'node20',
        tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
      })
      const place = JSON.stringify(`../files/${path.slice(root.length)}`)
      return {
        contents: `const __moduleUrl = new URL(${place}, import.meta.url).href;${code}`,
        loader: 'js' as const,
      }
    })
  },
})

/**
 * Texts of the suite say `polgate explain`. A package that has these commands under its own name says
 * that name, since the other may not be installed.
 */
function commandName({ commands = {} }: PackageDefinition): (source: string) => string {
  const [name = 'polgate'] = Object.keys(commands)
  if (name === 'polgate') return (source) => source
  const words = new RegExp(
    `(?<![\\w./@-])polgate(?= +(?:${Object.keys(suiteCommands).join('|')})\\b)`,
    'g',
  )
  return (source) => source.replace(words, name)
}

/** What is imported but never called. */
const emptyModules = (names: readonly string[]): Plugin => ({
  name: 'empty-modules',
  setup: ({ onResolve, onLoad }) => {
    if (names.length === 0) return
    onResolve({ filter: new RegExp(`^(?:${names.join('|')})$`) }, ({ path }) => ({
      path,
      namespace: 'unused',
    }))
    // CommonJS: any name can be imported from it, and is undefined.
    onLoad({ filter: /^/, namespace: 'unused' }, () => ({ contents: 'module.exports = {}' }))
  },
})
