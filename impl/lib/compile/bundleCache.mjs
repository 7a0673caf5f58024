// @ts-check
/** Where bundles of the sources are kept, and whether one is up to date. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../../', import.meta.url))
export const cache = join(root, '.cache', 'compiled')

/** @typedef {{ directory: string, main: string, sources: [path: string, changedMs: number, bytes: number][] }} Manifest */

/**
 * @param {string} path
 * @param {boolean} asScript
 */
export const nameOf = (path, asScript) =>
  path.replace(/\.[^.]*$/, asScript ? '-script' : '').replaceAll(/[^A-Za-z0-9]+/g, '-')

/**
 * The bundle of a module, if it is up to date.
 *
 * @param {string} path
 * @param {boolean} asScript
 * @returns {string | undefined}
 */
export function current(path, asScript = false) {
  try {
    /** @type {Manifest} */
    const manifest = JSON.parse(readFileSync(join(cache, `${nameOf(path, asScript)}.json`), 'utf8'))
    for (const [source, changedMs, bytes] of manifest.sources) {
      const { mtimeMs, size } = statSync(join(root, source))
      if (mtimeMs !== changedMs || size !== bytes) return undefined
    }
    const main = join(cache, manifest.directory, manifest.main)
    return existsSync(main) ? main : undefined
  } catch {
    return undefined
  }
}
