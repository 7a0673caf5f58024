// @ts-check
import { cache, current, root } from './bundleCache.mjs'
import { loadScript } from './loadScript.mjs'
import { showSourcesInStacks } from './sourceStacks.mjs'

/**
 * Imports a TypeScript module as one script, whose code V8 keeps compiled beside it: for commands whose
 * start is most of their time. What the module imports dynamically is evaluated when it is imported.
 * @param {string} path from the root of the repository
 * @param {readonly string[]} values modules whose `compiledValue` its sources await
 * @returns {Promise<Record<string, unknown>>}
 */
export async function importScript(path, values = []) {
  let main = current(path, true)
  if (main === undefined) {
    const { compiled, importSource } = await import('./importCompiled.mjs')
    main = await compiled(path, true).catch(() => undefined)
    if (main === undefined) return importSource(path)
  }
  showSourcesInStacks(cache)
  const known = new Map(await Promise.all(values.map(loadValue)))
  return loadScript(main, { from: root + path, argv: process.argv, known })
}

/** @param {string} path */
async function loadValue(path) {
  const { compiledValue } = await import('./importCompiled.mjs')
  return /** @type {const} */ ([path, await compiledValue(path)])
}
