// Not `node:fs/promises`: loading it takes longer than reading a policy.
import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, extname, join, relative, sep } from 'node:path'
import type { ModuleSource } from 'polgate-rego/engine.ts'
import { RegoObject } from 'polgate-rego/values/object.ts'
import type { ObjectValue, Value } from 'polgate-rego/values/value.ts'
import { CommandError } from '../commandDefinition.ts'
import { isDataFile, mergeInto, readDocument } from './documents.ts'

/** Policies and data loaded from `-d` or the paths of `opa test`. */
export type PolicyFiles = {
  readonly modules: readonly ModuleSource[]
  readonly data: ObjectValue
  /** All files that were read, for `--watch`. */
  readonly files: readonly string[]
}

export const MAX_FILES = 5_000
export const MAX_BYTES = 64 * 1024 * 1024

type Found = {
  readonly path: string
  /** Path of its document within `data`. */
  readonly root: readonly string[]
}

/**
 * Reads policies (`.rego`) and data (`.json`, `.yaml`, `.yml`). Directories are read recursively; the
 * document of a data file in them is placed at the path of its folders, as in OPA. `a.b:file.json`
 * loads a document as `data.a.b`. Files whose name matches an `ignore` pattern are skipped.
 * @throws CommandError for missing, too large, invalid or conflicting files
 */
export async function loadFiles(
  paths: readonly string[],
  ignore: readonly string[] = [],
): Promise<PolicyFiles> {
  const all: Found[] = []
  for (const path of paths) find(path, all)
  const ignored = ignore.map(globPattern)
  const found = all.filter(({ path }) => !ignored.some((each) => each.test(basename(path))))
  const modules: ModuleSource[] = []
  const data = new RegoObject()
  let left = MAX_BYTES
  for (const { path, root } of found) {
    const text = readText(path)
    left -= text.length
    if (left < 0) throw new CommandError(`The files exceed ${MAX_BYTES} bytes in total`)
    if (extname(path) === '.rego') modules.push({ name: path, source: text })
    else mergeInto(data, root.reduceRight<Value>(nested, await readDocument(path, text)), path)
  }
  return { modules, data, files: found.map(({ path }) => path) }
}

/** A pattern for file names with `*` and `?`. */
export function globPattern(glob: string): RegExp {
  const escaped = glob.replace(/[.+^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`)
}

const nested = (value: Value, name: string): Value => RegoObject.from([[name, value]])

/** Reads a text file. @throws CommandError if it cannot be read */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw unreadable(path, cause)
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EISDIR: 'is a directory',
  EACCES: 'may not be read by this user',
  EPERM: 'may not be read by this user',
}

/** The error of a file that cannot be read. */
export function unreadable(path: string, cause: unknown): CommandError {
  const { code = 'cannot be read' } = cause as NodeJS.ErrnoException
  return new CommandError(`${path} ${REASONS[code] ?? code}`, { cause })
}

function infoOf(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}

function find(given: string, found: Found[]): void {
  let info = infoOf(given)
  let path = given
  let root: readonly string[] = []
  const prefix = /^([A-Za-z_][\w.]*):(.+)$/.exec(given)
  if (info === undefined && prefix !== null) {
    path = prefix[2] as string
    root = (prefix[1] as string)
      .replace(/^data\.?/, '')
      .split('.')
      .filter((name) => name !== '')
    info = infoOf(path)
  }
  if (info === undefined) throw unreadable(given, { code: 'ENOENT' })
  if (info.isDirectory()) {
    findIn(path, path, root, found)
    return
  }
  if (extname(path) !== '.rego' && !isDataFile(path)) {
    throw new CommandError(`${path} is neither a policy nor a data file`, {
      hint: 'Policies are .rego files, data are .json, .yaml or .yml files.',
    })
  }
  add(found, { path, root })
}

function findIn(top: string, directory: string, root: readonly string[], found: Found[]): void {
  const entries = readdirSync(directory, { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
    const path = join(directory, entry.name)
    if (entry.isDirectory()) findIn(top, path, root, found)
    else if (entry.isFile() && (extname(path) === '.rego' || isDataFile(path))) {
      const folders = relative(top, dirname(path))
        .split(sep)
        .filter((name) => name !== '')
      add(found, { path, root: [...root, ...folders] })
    }
  }
}

function add(found: Found[], file: Found): void {
  if (found.some(({ path }) => path === file.path)) return
  if (found.length >= MAX_FILES) throw new CommandError(`More than ${MAX_FILES} files to load`)
  found.push(file)
}
