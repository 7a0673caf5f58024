import { createHash } from 'node:crypto'
import { build, type OutputFile } from 'esbuild'
import { scriptOptions, scriptPlugins } from '../../../impl/lib/compile/scriptBundle.mjs'
import type { PackageDefinition } from './definitions.ts'
import { bundlePlugins } from './plugins.ts'

export type ScriptFiles = {
  /** Contents by path below the package. */
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly inputs: readonly string[]
}

/**
 * The script of the commands of a package whose start is most of their time, and the file that starts it: as
 * in a clone, one script whose code V8 keeps compiled. Everything else is loaded from the command's
 * module.
 * @throws Error where esbuild fails
 */
export async function scriptFiles(
  definition: PackageDefinition,
  external: readonly string[],
  root: string,
): Promise<ScriptFiles> {
  const { script, commands = {} } = definition
  const [name = ''] = Object.keys(commands)
  if (script === undefined) return { files: new Map(), inputs: [] }
  const shared = {
    absWorkingDir: root,
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node20',
    legalComments: 'none',
    logLevel: 'warning',
  } as const
  const made = await build({
    ...shared,
    ...scriptOptions,
    entryPoints: [script.module],
    minifySyntax: true,
    metafile: true,
    define: { 'import.meta.url': 'scriptUrl' },
    external: [...external],
    plugins: [...scriptPlugins, ...bundlePlugins(definition)],
  })
  const contents = made.outputFiles[0]!.contents
  // V8 compares only the length of a source with the code that it kept.
  const digest = createHash('sha256').update(contents).digest('hex').slice(0, 16)
  const path = `dist/script-${digest}.cjs`
  const loader = await build({
    ...shared,
    format: 'iife',
    globalName: 'loader',
    entryPoints: ['impl/lib/compile/loadScript.mjs'],
  })
  const launcher = launcherOf({ name, path, quick: script.commands, loader: textOf(loader) })
  return {
    files: new Map([
      [path, contents],
      [`bin/${name}.cjs`, Buffer.from(launcher)],
    ]),
    inputs: Object.keys(made.metafile.inputs),
  }
}

const textOf = ({ outputFiles }: { readonly outputFiles: readonly OutputFile[] }): string =>
  outputFiles[0]!.text

type Launcher = {
  /** The command. */
  readonly name: string
  /** The script, below the package. */
  readonly path: string
  readonly quick: readonly string[]
  readonly loader: string
}

// CommonJS: the loader of modules takes a fifth of the start of Node.
const launcherOf = ({ name, path, quick, loader }: Launcher): string => `#!/usr/bin/env node
${loader}
const file = require.resolve('../${path}')
const ended = ${JSON.stringify(quick)}.includes(process.argv[2])
  ? loader.loadScript(file, { from: file, argv: process.argv }).run(process.argv)
  : import('./${name}.mjs')
let hasEnded = false
ended.then(() => {
  hasEnded = true
})
// As Node does for a module that awaits what never ends.
process.once('beforeExit', () => {
  if (!hasEnded) process.exitCode = 13
})
`
