import { realpath, stat } from 'node:fs/promises'
import { createTwoFilesPatch } from 'diff'
import { replaceFile } from 'polgate-lib/files/replaceFile.ts'
import type { ModuleSource } from 'polgate-rego/engine.ts'
import { RegoError } from 'polgate-rego/errors.ts'
import { formatModule } from 'polgate-rego/format/formatModule.ts'
import { Source } from 'polgate-rego/syntax/source.ts'
import { colours } from '../colours.ts'
import { CommandError } from '../commandDefinition.ts'
import { serviceCapabilities } from './capabilities.ts'
import { unreadable } from './files.ts'
import { policySources, STDIN } from './policySources.ts'
import { showError } from './terminal.ts'

export type FmtOptions = {
  readonly write?: boolean
  readonly list?: boolean
  readonly diff?: boolean
  readonly check?: boolean
  /** `--check` of OPA, with exit code 2. */
  readonly fail?: boolean
  readonly dropV0Imports?: boolean
  readonly ignore: readonly string[]
  /** Whether to format hidden files too, as OPA does. */
  readonly hidden?: boolean
}

/**
 * `polgate rego fmt`: sets `process.exitCode` to 0, 1 (`--check`, and a policy is not formatted) or 2 (one
 * could not be formatted; the others are; or `--fail`, and one is not).
 *
 * @throws CommandError if the policies cannot be read or written
 */
export async function fmtCommand(paths: readonly string[], options: FmtOptions): Promise<void> {
  const { write = false, list = false, diff = false } = options
  const check = options.check === true || options.fail === true
  if (write && check) {
    throw new CommandError('--write and --check exclude each other', {
      hint: '--check only looks; --write --list names the files that it writes.',
    })
  }
  const given = paths.length === 0 ? standardPaths() : paths
  if (write && given.includes('-')) {
    throw new CommandError('--write cannot write to stdin', {
      hint: 'Without --write, the formatted policy is on stdout.',
    })
  }
  const sources = await policySources(given, options)
  process.exitCode = 0
  let changed = 0
  let failed = 0
  for (const source of sources) {
    const text = formatted(source, options)
    if (text === undefined) {
      failed++
      continue
    }
    const isChanged = text !== source.source
    if (isChanged) changed++
    if (isChanged && (list || (check && !diff))) console.log(source.name)
    if (isChanged && diff) process.stdout.write(patch(source, text))
    if (isChanged && write) await overwrite(source.name, text)
    if (!(write || list || diff || check)) process.stdout.write(text)
  }
  const all = sources.length === 1 ? '1 policy' : `${sources.length} policies`
  if (check && changed > 0) {
    process.exitCode = options.fail === true ? 2 : 1
    console.error(`${changed} of ${all} not formatted; polgate rego fmt --write formats them`)
  }
  if (failed > 0) {
    process.exitCode = 2
    console.error(`error: ${failed} of ${all} could not be formatted`)
  }
}

/** Without arguments, stdin, unless a person would have to write it. */
function standardPaths(): readonly string[] {
  if (process.stdin.isTTY !== true) return ['-']
  throw new CommandError('No policy to format', {
    hint: 'Pass files or directories, or - to read stdin from the terminal.',
  })
}

/** The formatted text, or undefined after its error was shown. */
function formatted(
  source: ModuleSource,
  { dropV0Imports = false }: FmtOptions,
): string | undefined {
  try {
    return formatModule(new Source(source.name, source.source), { dropV0Imports })
  } catch (error) {
    if (!(error instanceof RegoError)) throw error
    showError(error, { modules: [source], capabilities: serviceCapabilities })
    return undefined
  }
}

/** Replaces the file, through links, with its mode. */
async function overwrite(path: string, text: string): Promise<void> {
  try {
    const target = await realpath(path)
    const { mode } = await stat(target)
    await replaceFile(target, text, { mode: mode & 0o7777 })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') throw unreadable(path, cause)
    throw new CommandError(`${path} cannot be written: ${code ?? (cause as Error).message}`, {
      cause,
      hint: 'Nothing was changed in it. May this user write to its directory?',
    })
  }
}

function patch({ name, source }: ModuleSource, text: string): string {
  const { bold, cyan, green, red } = colours(process.stdout)
  const path = name === STDIN ? 'stdin' : name
  const lines = createTwoFilesPatch(path, path, source, text, '', '').split('\n')
  return lines
    .filter((line, i) => i > 1 || !/^(Index: |=====)/.test(line))
    .map((line) => {
      if (/^(---|\+\+\+) /.test(line)) return bold(line.trimEnd())
      if (line.startsWith('@@')) return cyan(line)
      if (line.startsWith('+')) return green(line)
      return line.startsWith('-') ? red(line) : line
    })
    .join('\n')
}
