import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { bundle, distName, root } from './bundle.ts'
import { commandFile } from './commandFile.ts'
import { declarationsOf } from './declarations.ts'
import type { PackageDefinition } from './definitions.ts'
import { licencesOf } from './licences.ts'
import { linkedPages } from './linkedPages.ts'
import { manifestOf } from './manifest.ts'

/**
 * Writes a package that installs from npm without this repository.
 * @param declarations whether with those of its types, which take most of the time
 * @throws Error where it cannot be built
 */
export async function writePackage(
  definition: PackageDefinition,
  into: string,
  { declarations }: { readonly declarations: boolean },
): Promise<{ readonly name: string; readonly version: string }> {
  rmSync(into, { recursive: true, force: true })
  mkdirSync(into, { recursive: true })
  const { files, inputs } = await bundle(definition)
  const written = new Map<string, Uint8Array>([
    ...files,
    ...filesOf(definition),
    ...(declarations ? await declarationsOf(definition) : []),
    ...commandsOf(definition),
    ...forwardsOf(definition),
    ...madeOf(definition),
  ])
  requireNeighbours(written)
  for (const [path, contents] of written)
    writeBelow(into, path, contents, path.startsWith('bin/') ? 0o755 : 0o644)
  writeBelow(into, 'files/build-id', buildId(written))
  writeBelow(into, 'THIRD_PARTY_LICENCES.txt', licencesOf([...inputs, ...assetsOf(definition)]))
  cpSync(join(root, 'LICENSE'), join(into, 'LICENSE'))
  const folder = join(root, definition.directory)
  for (const page of ['README.md', ...linkedPages(folder)])
    cpSync(join(folder, page), join(into, page), { recursive: true })
  const manifest = manifestOf(definition)
  writeBelow(into, 'package.json', `${JSON.stringify(manifest, null, 2)}\n`)
  return manifest
}

function writeBelow(into: string, path: string, contents: string | Uint8Array, mode = 0o644): void {
  mkdirSync(dirname(join(into, path)), { recursive: true })
  writeFileSync(join(into, path), contents, { mode })
}

/** What a bundled package loads from beside its modules. */
const neighbour = /new URL\(\s*["'`]\.\/([^"'`]+)["'`],\s*import\.meta\.url/g

/** @throws Error for a file that a module would look for in `dist`, where it is not */
function requireNeighbours(written: ReadonlyMap<string, Uint8Array>): void {
  for (const [path, contents] of written) {
    if (!/^dist\/.*\.m?js$/.test(path)) continue
    for (const [, name = ''] of Buffer.from(contents).toString().matchAll(neighbour)) {
      if (!written.has(`dist/${name}`))
        throw new Error(`${path} loads ${name}, which is no asset in definitions.ts`)
    }
  }
}

/** Identifies the content of a package: what it computed and cached is valid for this content. */
function buildId(written: ReadonlyMap<string, Uint8Array>): string {
  const hash = createHash('sha256')
  for (const [path, contents] of [...written].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(`${path} ${contents.length}\n`).update(contents)
  return hash.digest('hex')
}

type Entry = readonly [path: string, contents: Uint8Array]

const assetsOf = ({ assets = [] }: PackageDefinition): readonly string[] => assets

function filesOf(definition: PackageDefinition): Entry[] {
  const { files = [] } = definition
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  const read = tracked
    .split('\0')
    .filter((path) => files.some((pattern) => pattern.test(path)) && !isSource(path))
  return [
    ...read.map((path) => [`files/${path}`, readFileSync(`${root}${path}`)] as const),
    ...assetsOf(definition).map(
      (path) => [`dist/${basename(path)}`, readFileSync(`${root}${path}`)] as const,
    ),
  ]
}

const isSource = (path: string): boolean => /\.m?ts$/.test(path)

const madeOf = ({ made }: PackageDefinition): Entry[] =>
  [...(made?.() ?? [])].map(([path, text]) => [path, Buffer.from(text)] as const)

const forwardsOf = ({ forwards = {} }: PackageDefinition): Entry[] =>
  Object.entries(forwards).flatMap(([subpath, id]) =>
    ['mjs', 'd.mts'].map(
      (end) =>
        [`dist/${distName(subpath)}.${end}`, Buffer.from(`export * from '${id}'\n`)] as const,
    ),
  )

function commandsOf({ commands = {}, launchers = {} }: PackageDefinition): Entry[] {
  const up = (path: string) => '../'.repeat(path.split('/').length)
  return [
    ...Object.keys(commands).map(
      (name) => [`bin/${name}.mjs`, Buffer.from(commandFile(name))] as const,
    ),
    ...Object.entries(launchers).map(
      ([path, name]) =>
        [`files/${path}`, Buffer.from(`import '${up(path)}bin/${name}.mjs'\n`)] as const,
    ),
  ]
}
