import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { archivedFiles } from '../bundle/archive.ts'
import {
  type BundleFile,
  bundleOf,
  checkRoots,
  documentPath,
  isPolicy,
  type Manifest,
} from '../bundle/bundle.ts'
import { BundleError } from '../bundle/bundleError.ts'
import { mergeDocument } from '../bundle/mergeDocument.ts'
import { parseDocument } from '../bundle/parseDocument.ts'
import { stringify } from '../values/json.ts'
import { RegoObject } from '../values/object.ts'
import { isObject, type Value } from '../values/value.ts'
import type { Sources } from './policy.ts'

/** A bundle of OPA: what `compile` takes. */
export type LoadedBundle = {
  readonly sources: Sources
  /** Its documents, merged; JSON text keeps integers of any size. */
  readonly dataJson: string
  readonly manifest: Manifest | undefined
}

const MOST_BYTES = 64 * 1024 * 1024

/**
 * Reads a bundle: a folder, or an archive as `opa build` makes it. `.rego` files are policies; of data only `data.json`,
 * `data.yaml` and `data.yml` count. The WebAssembly and the signatures of a bundle are not read.
 *
 * @throws BundleError for a damaged archive, a manifest or data that are not valid, or what is outside of the roots
 */
export async function loadBundle(path: string): Promise<LoadedBundle> {
  if (!statSync(path).isDirectory()) return readBundle(readFileSync(path), path)
  const entries = readdirSync(path, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return loaded(
    path,
    files.map((entry) => {
      const file = join(entry.parentPath, entry.name)
      const inner = relative(path, file).replaceAll(sep, '/')
      return { path: file, inner, read: () => readFileSync(file, 'utf8') }
    }),
  )
}

/** The same from the bytes of a `.tar.gz`. @param name that errors show */
export async function readBundle(packed: Uint8Array, name = 'bundle'): Promise<LoadedBundle> {
  return loaded(
    name,
    archivedFiles(name, packed, MOST_BYTES).map(({ path: inner, content }) => ({
      path: `${name}/${inner}`,
      inner,
      read: () => content.toString('utf8'),
    })),
  )
}

async function loaded(name: string, all: readonly BundleFile[]): Promise<LoadedBundle> {
  const bundle = bundleOf([...all].sort((a, b) => (a.inner < b.inner ? -1 : 1)))
  checkRoots(bundle, name)
  const data = new RegoObject()
  for (const file of bundle.files) if (!isPolicy(file)) await addData(data, file)
  const policies = bundle.files.filter(isPolicy).map(({ inner, read }) => [inner, read()] as const)
  return {
    sources: Object.fromEntries(policies),
    dataJson: stringify(data),
    manifest: bundle.manifest,
  }
}

async function addData(data: RegoObject, file: BundleFile): Promise<void> {
  const { path, read } = file
  const value = await parseDocument(path, read()).catch((cause: Error) => {
    throw new BundleError(`${path}: ${cause.message}`, { cause })
  })
  const document = documentPath(file).reduceRight<Value>(nested, value)
  if (!isObject(document)) throw new BundleError(`${path}: data must be an object`)
  mergeDocument(data, document, path)
}

const nested = (value: Value, name: string): Value => RegoObject.from([[name, value]])
