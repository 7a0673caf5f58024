import { basename, dirname, extname, relative } from 'node:path'
import type { ModuleSource } from 'polgate-rego/engine.ts'
import { RegoObject } from 'polgate-rego/values/object.ts'
import type { ObjectValue, Value } from 'polgate-rego/values/value.ts'
import { CommandError } from '../commandDefinition.ts'
import { isDataFile, mergeInto, readDocument } from './documents.ts'
import {
  type Found,
  foldersOf,
  infoOf,
  MAX_BYTES,
  MAX_FILES,
  readText,
  unreadable,
} from './files.ts'
import { globPattern, type Skipping, walkFiles } from './walkFiles.ts'

/** Policies and data loaded from `-d` or the paths of `opa test`. */
export type PolicyFiles = {
  readonly modules: readonly ModuleSource[]
  readonly data: ObjectValue
  /** All files that were read, for `--watch`. */
  readonly files: readonly string[]
}

export type LoadOptions = Skipping & {
  /** Paths that are bundles: of data, only files named `data` count, and the roots of the manifest apply. */
  readonly bundles?: readonly string[]
}

/**
 * Reads policies (`.rego`) and data (`.json`, `.yaml`, `.yml`). Directories are read recursively; the
 * document of a data file in them is placed at the path of its folders, as in OPA. `a.b:file.json`
 * loads a document as `data.a.b`. A `.tar.gz` is a bundle.
 * @throws CommandError for missing, too large, invalid or conflicting files
 */
export async function loadFiles(
  paths: readonly string[],
  options: LoadOptions = {},
): Promise<PolicyFiles> {
  const all = new Map<string, Found>()
  for (const path of paths) for (const file of findAt(path, options)) addTo(all, file)
  const { bundles = [] } = options
  const archives = paths.filter((path) => path.endsWith('.tar.gz'))
  if (bundles.length + archives.length > 0) {
    const { bundleFiles } = await import('./bundleFiles.ts')
    for (const path of [...bundles, ...archives])
      for (const file of bundleFiles(path, options)) addTo(all, file)
  }
  const modules: ModuleSource[] = []
  const data = new RegoObject()
  let left = MAX_BYTES
  for (const { path, root, read } of all.values()) {
    const text = read()
    left -= text.length
    if (left < 0)
      throw new CommandError(`The files exceed ${MAX_BYTES} bytes in total`, { hint: TOO_MUCH })
    if (extname(path) === '.rego') modules.push({ name: path, source: text })
    else mergeInto(data, root.reduceRight<Value>(nested, await readDocument(path, text)), path)
  }
  return { modules, data, files: [...all.keys()] }
}

const TOO_MUCH = 'Pass fewer folders, or leave files out with --ignore.'

function addTo(all: Map<string, Found>, file: Found): void {
  if (all.size >= MAX_FILES)
    throw new CommandError(`More than ${MAX_FILES} files to load`, { hint: TOO_MUCH })
  if (!all.has(file.path)) all.set(file.path, file)
}

const nested = (value: Value, name: string): Value => RegoObject.from([[name, value]])

function findAt(given: string, options: LoadOptions): readonly Found[] {
  let info = infoOf(given)
  let path = given.replace(/^file:\/\//, '')
  let root: readonly string[] = []
  info ??= infoOf(path)
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
    return walkFiles(path, options)
      .filter((file) => extname(file) === '.rego' || isDataFile(file))
      .map((file) => found(file, [...root, ...foldersOf(relative(path, dirname(file)))]))
  }
  if (path.endsWith('.tar.gz')) return []
  if (extname(path) !== '.rego' && !isDataFile(path)) {
    throw new CommandError(`${path} is neither a policy nor a data file`, {
      hint: 'Policies are .rego files, data are .json, .yaml or .yml files, bundles .tar.gz files.',
    })
  }
  return isLeftOut(path, options) ? [] : [found(path, root)]
}

/** OPA loads every file that is named. */
const isLeftOut = (path: string, { ignore = [], hidden }: LoadOptions): boolean =>
  hidden !== true && ignore.map(globPattern).some((each) => each.test(basename(path)))

const found = (path: string, root: readonly string[]): Found => ({
  path,
  root,
  read: () => readText(path),
})
