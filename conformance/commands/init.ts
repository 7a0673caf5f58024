import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CannotRun } from '../core/conformanceError.ts'
import { type ExitCode, exitCode } from '../core/verdict.ts'
import { usualFile } from '../targets/findTarget.ts'
import { type Found, probeGateway } from '../targets/probeGateway.ts'
import { readStackDescription, readTargetFile } from '../targets/targetFile.ts'
import { schemaPath } from '../targets/targetSchema.ts'
import { type Preset, presets, targetText } from '../targets/targetTemplate.ts'
import { freshFetch } from '../wire/freshFetch.ts'
import type { CommandIo } from './world.ts'

export type InitOptions = {
  readonly url?: string | undefined
  readonly preset?: string | undefined
  readonly output?: string | undefined
  readonly force?: boolean | undefined
  readonly github?: boolean | undefined
}

const workflowPlace = '.github/workflows/certify.yml'

const workflow = `name: certify
on: [push]
jobs:
  certify:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 22 }
      - run: npm ci
      - run: npx --no-install polgate certify --report-dir reports
        env:
          # Keys are secrets of the repository; the target file names them.
          SVC_KEY_READ: \${{ secrets.SVC_KEY_READ }}
          SVC_KEY_WRITE: \${{ secrets.SVC_KEY_WRITE }}
          SVC_KEY_RPC: \${{ secrets.SVC_KEY_RPC }}
      - uses: actions/upload-artifact@v4
        if: always()
        with: { name: certification, path: reports }
`

function presetOf({ preset, url }: InitOptions): Preset {
  const chosen = preset ?? (url === undefined ? 'command' : 'remote')
  const known = presets.find((each) => each === chosen)
  if (known === undefined)
    throw new CannotRun(`unknown preset '${chosen}'`, `Use one of ${presets.join(', ')}.`)
  if (known === 'remote' && url === undefined)
    throw new CannotRun('the preset remote needs a URL', 'polgate init https://gateway.example')
  return known
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
  const others = options.github ? [join(cwd, workflowPlace)] : []
  for (const file of [path, ...others])
    if (existsSync(file) && !options.force)
      throw new CannotRun(`${relative(cwd, file)} already exists`, 'Use --force to overwrite it.')
  const stack = readStackDescription(join(cwd, '.svc/stack.json'))
  const found: Found | undefined =
    options.url === undefined
      ? undefined
      : await probeGateway(options.url, { env, fetch: freshFetch, stack })
  const text = targetText({ preset, found, env, schema: schemaFrom(path) })
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  // The written file must be valid for the suite.
  readTargetFile(path, env)
  stdout.write(`wrote ${relative(cwd, path) || path}\n`)
  for (const line of found?.notes ?? []) stdout.write(`  ${line}\n`)
  if (options.github) {
    mkdirSync(dirname(join(cwd, workflowPlace)), { recursive: true })
    writeFileSync(join(cwd, workflowPlace), workflow)
    stdout.write(`wrote ${workflowPlace}\n`)
  }
  stdout.write('next: polgate doctor shows what is missing, polgate certify runs the checks\n')
  return exitCode.conformant
}
