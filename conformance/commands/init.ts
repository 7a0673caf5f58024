import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { replaceFileSync } from 'polgate-lib/files/replaceFile.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { CannotRun } from '../core/conformanceError.ts'
import { type ExitCode, exitCode } from '../core/verdict.ts'
import { usualFile } from '../targets/findTarget.ts'
import { type Found, probeGateway } from '../targets/probeGateway.ts'
import { readStackDescription, readTargetFile } from '../targets/targetFile.ts'
import { schemaPath } from '../targets/targetSchema.ts'
import { type Preset, presets, targetText } from '../targets/targetTemplate.ts'
import { stackFileOf } from '../targets/wantedTarget.ts'
import { freshFetch } from '../wire/freshFetch.ts'
import { type CiFiles, ciFiles } from './ciFiles.ts'
import type { CommandIo } from './world.ts'

export type InitOptions = {
  readonly url?: string | undefined
  readonly preset?: string | undefined
  readonly output?: string | undefined
  readonly force?: boolean | undefined
  /** CI systems to write files for: github, gitlab, shell. */
  readonly ci?: readonly string[] | undefined
  /** The same as `ci` with github. */
  readonly github?: boolean | undefined
}

/** `polgate init local`: the stack that runs in this folder or one above. */
const namesLocal = ({ url }: InitOptions) => url === 'local'

function presetOf(options: InitOptions): Preset {
  const { preset, url } = options
  const usual = namesLocal(options) ? 'local' : url === undefined ? 'command' : 'remote'
  const chosen = preset ?? usual
  const known = presets.find((each) => each === chosen)
  if (known === undefined)
    throw new CannotRun(`unknown preset '${chosen}'`, `Use one of ${presets.join(', ')}.`)
  if (known === 'remote' && url === undefined)
    throw new CannotRun('the preset remote needs a URL', 'polgate init https://gateway.example')
  return known
}

function localUrl(stack: StackDescription | undefined): string {
  if (stack !== undefined) return stack.gatewayUrl
  throw new CannotRun(
    'no local stack runs in this folder or one above',
    'Start one with polgate start, or write a file for a gateway that the suite starts: polgate init --preset command.',
  )
}

/** For an editor: path of the schema, relative to the file. */
function schemaFrom(path: string) {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const way = relative(dirname(path), join(root, schemaPath))
  return way.startsWith('.') ? way : `./${way}`
}

/**
 * Writes a commented target file from what a gateway reports about itself. The file names variables
 * for keys and contains none.
 *
 * @throws CannotRun if the file already exists, or the gateway is unreachable
 */
export async function init(options: InitOptions, world: CommandIo): Promise<ExitCode> {
  const { cwd, env, stdout } = world
  const preset = presetOf(options)
  const path = resolve(cwd, options.output ?? usualFile)
  const place = relative(cwd, path).replaceAll(sep, '/')
  const systems = [...(options.github ? ['github'] : []), ...(options.ci ?? [])]
  const others = Object.assign(
    {},
    ...systems.map((each) => ciFiles(each, place, preset)),
  ) as CiFiles
  for (const file of [path, ...Object.keys(others).map((each) => join(cwd, each))])
    if (existsSync(file) && !options.force)
      throw new CannotRun(`${relative(cwd, file)} already exists`, 'Use --force to overwrite it.')
  const stack = readStackDescription(stackFileOf(cwd))
  const url = namesLocal(options) ? localUrl(stack) : options.url
  const found: Found | undefined =
    url === undefined ? undefined : await probeGateway(url, { env, fetch: freshFetch, stack })
  const text = targetText({ preset, found, env, schema: schemaFrom(path) })
  mkdirSync(dirname(path), { recursive: true })
  replaceFileSync(path, text)
  // The written file must be valid for the suite.
  readTargetFile(path, env)
  stdout.write(`wrote ${relative(cwd, path) || path}\n`)
  for (const line of found?.notes ?? []) stdout.write(`  ${line}\n`)
  for (const [other, content] of Object.entries(others)) {
    mkdirSync(dirname(join(cwd, other)), { recursive: true })
    replaceFileSync(join(cwd, other), content)
    stdout.write(`wrote ${other}\n`)
  }
  stdout.write('next: polgate doctor shows what is missing, polgate certify runs the checks\n')
  return exitCode.conformant
}
