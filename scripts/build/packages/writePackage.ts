import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { bundle, root } from './bundle.ts'
import type { PackageDefinition } from './definitions.ts'

/** The licences of all packages with a module in a bundle: name, version, text. */
const licencesOf = (inputs: readonly string[]): string =>
  [...new Set(inputs.flatMap((input) => packageOf.exec(input)?.[0] ?? []))]
    .sort()
    .map(licenceOf)
    .join(`\n${'-'.repeat(80)}\n\n`)

/** The folder of the innermost package that a module is in. */
const packageOf = /^.*node_modules\/(@[^/]+\/)?[^/]+/

function licenceOf(directory: string): string {
  const manifest = JSON.parse(readFileSync(`${root}${directory}/package.json`, 'utf8'))
  const file = readdirSync(`${root}${directory}`).find((name) =>
    /^(licen[cs]e|copying)/i.test(name),
  )
  const text =
    file !== undefined && existsSync(`${root}${directory}/${file}`)
      ? readFileSync(`${root}${directory}/${file}`, 'utf8').trim()
      : `Licence: ${manifest.license ?? 'not stated'}`
  return `${manifest.name} ${manifest.version} (${manifest.license ?? 'not stated'})\n\n${text}\n`
}

/** Writes a package that installs from npm without this repository. */
export async function writePackage(definition: PackageDefinition, into: string): Promise<void> {
  rmSync(into, { recursive: true, force: true })
  mkdirSync(into, { recursive: true })
  const { files, inputs } = await bundle(definition)
  for (const [path, contents] of files) writeBelow(into, path, contents)
  for (const path of filesOf(definition))
    writeBelow(into, `files/${path}`, readFileSync(`${root}${path}`))
  for (const [command, entry] of Object.entries(definition.commands ?? {})) {
    writeBelow(into, `bin/${command}.mjs`, commandOf(entry), 0o755)
  }
  writeBelow(into, 'THIRD_PARTY_LICENCES.txt', licencesOf(inputs))
  cpSync(join(root, 'LICENSE'), join(into, 'LICENSE'))
  cpSync(join(root, definition.directory, 'README.md'), join(into, 'README.md'))
  writeBelow(into, 'package.json', `${JSON.stringify(manifestOf(definition), null, 2)}\n`)
}

function writeBelow(into: string, path: string, contents: string | Uint8Array, mode = 0o644): void {
  mkdirSync(dirname(join(into, path)), { recursive: true })
  writeFileSync(join(into, path), contents, { mode })
}

const filesOf = ({ files = [] }: PackageDefinition): readonly string[] =>
  execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter((path) => files.some((pattern) => pattern.test(path)) && !/\.m?ts$/.test(path))

const commandOf = (entry: string): string => `#!/usr/bin/env node
import { run } from '../dist/${entry}.mjs'

await run(process.argv)
`

function manifestOf(definition: PackageDefinition) {
  const { name, version, description, type, license, engines } = readManifest(definition.directory)
  const commands = Object.keys(definition.commands ?? {})
  return {
    ...{ name, version, description, type, license, engines },
    ...(definition.main === undefined ? {} : { exports: { '.': `./dist/${definition.main}.mjs` } }),
    ...(commands.length === 0
      ? {}
      : { bin: Object.fromEntries(commands.map((command) => [command, `bin/${command}.mjs`])) }),
    dependencies: versionsOf(definition.dependencies),
    optionalDependencies: versionsOf(definition.optionalDependencies),
    peerDependencies: versionsOf(definition.optionalPeers),
    peerDependenciesMeta: Object.fromEntries(
      (definition.optionalPeers ?? []).map((name) => [name, { optional: true }]),
    ),
  }
}

const versionsOf = (names: readonly string[] = []): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, readManifest(`node_modules/${name}`).version]))

const readManifest = (directory: string) =>
  JSON.parse(readFileSync(join(root, directory, 'package.json'), 'utf8'))
