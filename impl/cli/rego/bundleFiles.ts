import { readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { archivedFiles } from 'polgate-rego/bundle/archive.ts'
import {
  type Bundle,
  type BundleFile,
  bundleOf,
  checkRoots,
  documentPath,
} from 'polgate-rego/bundle/bundle.ts'
import { BundleError } from 'polgate-rego/bundle/bundleError.ts'
import { CommandError } from '../commandDefinition.ts'
import { type Found, infoOf, MAX_BYTES, readText, unreadable } from './files.ts'
import { type Skipping, walkFiles } from './walkFiles.ts'

/** The policies and data of a bundle, a directory or a `.tar.gz`. @throws CommandError if it is not valid */
export const bundleFiles = (path: string, skipping: Skipping): readonly Found[] =>
  asCommandError(() => {
    const bundle = bundleOf(filesOf(path, skipping))
    checkRoots(bundle, path)
    return bundle.files.map((file) => ({ ...file, root: documentPath(file) }))
  })

export const openBundle = (path: string, skipping: Skipping): Bundle =>
  asCommandError(() => bundleOf(filesOf(path, skipping)))

function filesOf(path: string, skipping: Skipping): readonly BundleFile[] {
  const info = infoOf(path)
  if (info === undefined) throw unreadable(path, { code: 'ENOENT' })
  if (info.isDirectory()) {
    return walkFiles(path, { ...skipping, hidden: true }).map((each) => ({
      path: each,
      inner: relative(path, each).replaceAll(sep, '/'),
      read: () => readText(each),
    }))
  }
  return archivedFiles(path, readFileSync(path), MAX_BYTES).map(({ path: inner, content }) => ({
    path: join(path, inner),
    inner,
    read: () => content.toString('utf8'),
  }))
}

function asCommandError<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof BundleError)) throw error
    const { message, hint, cause } = error
    throw new CommandError(message, { cause, hint: hint ?? 'Build the bundle again.' })
  }
}
