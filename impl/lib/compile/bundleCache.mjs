// @ts-check
/** Where bundles of the sources are kept, and whether one is up to date. */
// An import of these would load the streams of Node, which takes longer than evaluating a policy.
const { existsSync, readFileSync, statSync } = process.getBuiltinModule('node:fs')
const { join } = process.getBuiltinModule('node:path')
const { fileURLToPath } = process.getBuiltinModule('node:url')

export const root = fileURLToPath(new URL('../../../', import.meta.url))
export const cache = join(root, '.cache', 'compiled')

/** @typedef {{ directory: string, main: string, sources: [path: string, changedMs: number, bytes: number][] }} Manifest */

/**
 * @param {string} path
 * @param {boolean} asScript
 */
export const nameOf = (path, asScript) =>
  path.replace(/\.[^.]*$/, asScript ? '-command' : '').replaceAll(/[^A-Za-z0-9]+/g, '-')

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
      // Not `join`, which for hundreds of sources takes longer than asking for their times.
      const { mtimeMs, size } = statSync(root + source)
      if (mtimeMs !== changedMs || size !== bytes) return undefined
    }
    const main = join(cache, manifest.directory, manifest.main)
    return existsSync(main) ? main : undefined
  } catch {
    return undefined
  }
}
