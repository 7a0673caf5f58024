import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { distName, root } from './bundle.ts'
import type { PackageDefinition } from './definitions.ts'

export type Manifest = {
  readonly name: string
  readonly version: string
  readonly [member: string]: unknown
}

/** The `package.json` of a published package. */
export function manifestOf(definition: PackageDefinition): Manifest {
  const { name, version, description, type, license, engines } = readManifest(definition.directory)
  const commands = Object.keys(definition.commands ?? {})
  const exported = Object.keys({ ...definition.exports, ...definition.forwards })
  return {
    ...{ name, version, description, type, license },
    ...(definition.browser ? { sideEffects: false } : { engines }),
    exports: {
      ...Object.fromEntries(exported.map((subpath) => [subpath, targetsOf(subpath)])),
      './package.json': './package.json',
    },
    ...(commands.length === 0
      ? {}
      : { bin: Object.fromEntries(commands.map((command) => [command, `bin/${command}.mjs`])) }),
    files: ['bin', 'dist', 'files', 'THIRD_PARTY_LICENCES.txt'],
    dependencies: versionsOf(definition.dependencies),
    optionalDependencies: versionsOf(definition.optionalDependencies),
    peerDependencies: versionsOf(definition.optionalPeers),
    peerDependenciesMeta: Object.fromEntries(
      (definition.optionalPeers ?? []).map((peer) => [peer, { optional: true }]),
    ),
  }
}

const targetsOf = (subpath: string): Record<string, string> => ({
  types: `./dist/${distName(subpath)}.d.mts`,
  default: `./dist/${distName(subpath)}.mjs`,
})

const versionsOf = (names: readonly string[] = []): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, readManifest(`node_modules/${name}`).version]))

export const readManifest = (directory: string) =>
  JSON.parse(readFileSync(join(root, directory, 'package.json'), 'utf8'))
