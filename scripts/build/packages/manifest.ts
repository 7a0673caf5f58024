import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { distName, root } from './bundle.ts'
import type { PackageDefinition } from './definitions.ts'
import { linkedPages } from './linkedPages.ts'

export type Manifest = {
  readonly name: string
  readonly version: string
  readonly [member: string]: unknown
}

/** The `package.json` of a published package. */
export function manifestOf(definition: PackageDefinition): Manifest {
  const { name, version, description, keywords, type, license, engines } = readManifest(
    definition.directory,
  )
  const commands = Object.keys(definition.commands ?? {})
  const end = definition.script === undefined ? 'mjs' : 'cjs'
  const optionalPeers = [...(definition.optionalPeers ?? []), ...(definition.typePackages ?? [])]
  const exported = Object.keys({ ...definition.exports, ...definition.forwards })
  const folder = join(root, definition.directory)
  const made = [...(definition.made?.().keys() ?? [])].map((path) => path.replace(/\/.*$/, ''))
  return {
    ...{ name, version, description, keywords, type, license },
    ...(definition.browser ? { sideEffects: false } : { engines }),
    exports: {
      ...Object.fromEntries(exported.map((subpath) => [subpath, targetsOf(subpath, definition)])),
      ...definition.madeExports,
      './package.json': './package.json',
    },
    ...(commands.length === 0
      ? {}
      : { bin: Object.fromEntries(commands.map((command) => [command, `bin/${command}.${end}`])) }),
    files: [
      ...['bin', 'dist', 'files', 'THIRD_PARTY_LICENCES.txt'],
      ...new Set(made),
      ...linkedPages(folder),
    ],
    dependencies: versionsOf(definition.dependencies),
    optionalDependencies: versionsOf(definition.optionalDependencies),
    peerDependencies: {
      ...rangesOf(definition, definition.peers),
      ...rangesOf(definition, optionalPeers),
    },
    peerDependenciesMeta: Object.fromEntries(
      optionalPeers.map((peer) => [peer, { optional: true }]),
    ),
  }
}

const targetsOf = (
  subpath: string,
  { browser, onlyOnNode = [] }: PackageDefinition,
): Record<string, string> => ({
  types: `./dist/${distName(subpath)}.d.mts`,
  ...(browser && !onlyOnNode.includes(subpath)
    ? { browser: `./dist/browser/${distName(subpath)}.mjs` }
    : {}),
  default: `./dist/${distName(subpath)}.mjs`,
})

/** What the folder's own manifest accepts; else the version that is installed here. */
function rangesOf(
  { directory, peerRanges }: PackageDefinition,
  names: readonly string[] = [],
): Record<string, string> {
  const peerDependencies = { ...readManifest(directory).peerDependencies, ...peerRanges }
  return Object.fromEntries(
    names.map((name) => [name, peerDependencies[name] ?? versionsOf([name])[name]]),
  )
}

const versionsOf = (names: readonly string[] = []): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, readManifest(`node_modules/${name}`).version]))

export const readManifest = (directory: string) =>
  JSON.parse(readFileSync(join(root, directory, 'package.json'), 'utf8'))
