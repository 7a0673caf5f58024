import { posix } from 'node:path'
import { constantPath } from '../compile/references.ts'
import { parseModule } from '../syntax/parser.ts'
import { Source } from '../syntax/source.ts'
import { BundleError } from './bundleError.ts'

/** What `.manifest` of a bundle says. */
export type Manifest = {
  readonly revision?: string
  readonly roots?: readonly string[]
  readonly [member: string]: unknown
}

/** A file of a bundle: its content is read when it is its turn. */
export type BundleFile = {
  /** As errors show it. */
  readonly path: string
  /** Within the bundle, with `/`. */
  readonly inner: string
  readonly read: () => string
}

export type Bundle = {
  readonly manifest: Manifest | undefined
  /** Policies and data, and no other files. */
  readonly files: readonly BundleFile[]
}

/** The only data files of a bundle; the others are not part of it. */
const DATA: ReadonlySet<string> = new Set(['data.json', 'data.yaml', 'data.yml'])

export const isPolicy = ({ inner }: BundleFile): boolean => inner.endsWith('.rego')

/** The path of the document of a data file within `data`: its folders. */
export const documentPath = ({ inner }: Pick<BundleFile, 'inner'>): readonly string[] =>
  posix
    .dirname(inner)
    .split('/')
    .filter((name) => name !== '' && name !== '.')

/** What belongs to a bundle of all files in its folder or archive. @throws BundleError for its manifest */
export function bundleOf(files: readonly BundleFile[]): Bundle {
  const manifest = files.find(({ inner }) => inner === '.manifest')
  return {
    manifest: manifest === undefined ? undefined : manifestOf(manifest),
    files: files.filter((file) => isPolicy(file) || DATA.has(posix.basename(file.inner))),
  }
}

function manifestOf({ path, read }: BundleFile): Manifest {
  try {
    return JSON.parse(read()) as Manifest
  } catch (cause) {
    throw new BundleError(`${path}: ${(cause as Error).message}`, { cause })
  }
}

/** @throws BundleError for a package or data outside of the roots of the manifest */
export function checkRoots({ manifest, files }: Bundle, name: string): void {
  const roots = manifest?.roots
  if (roots === undefined) return
  for (const file of files) {
    const owned = isPolicy(file) ? [packageOf(file)] : documentsOf(file)
    const outside = owned.find((path) => !roots.some((root) => isBelow(path, root)))
    if (outside === undefined) continue
    throw new BundleError(
      `${name}: the roots ${JSON.stringify(roots)} of its manifest do not permit ${isPolicy(file) ? 'the package' : 'data'} at /${outside} (${file.path})`,
      { hint: 'Add the root to .manifest, or move the file.' },
    )
  }
}

function isBelow(path: string, root: string): boolean {
  const trimmed = root.replace(/^\/+|\/+$/g, '')
  return trimmed === '' || path === trimmed || path.startsWith(`${trimmed}/`)
}

function packageOf({ path, read }: BundleFile): string {
  return constantPath(parseModule(new Source(path, read())).package.path.path).join('/')
}

/** The paths that a document defines: as deep as its objects have one member. */
function documentsOf(file: BundleFile): readonly string[] {
  const root = documentPath(file).join('/')
  return file.inner.endsWith('.json') ? leaves(JSON.parse(file.read()), root) : [root]
}

function leaves(value: unknown, path: string): readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path]
  return Object.entries(value).flatMap(([key, each]) =>
    leaves(each, path === '' ? key : `${path}/${key}`),
  )
}
