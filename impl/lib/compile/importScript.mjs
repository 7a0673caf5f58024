// @ts-check
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Script } from 'node:vm'
import { cache, current, root } from './bundleCache.mjs'
import { showSourcesInStacks } from './sourceStacks.mjs'

const begin = '(function (exports, require, module) {'

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
  const code = `${main}.${process.version}.code`
  const cachedData = existsSync(code) ? readFileSync(code) : undefined
  const text = `${begin}${readFileSync(main, 'latin1')}\n})`
  const script = new Script(text, {
    // As for modules: source maps are found by it.
    filename: pathToFileURL(main).href,
    columnOffset: -begin.length,
    ...(cachedData === undefined ? {} : { cachedData }),
  })
  /** @type {{ exports: Record<string, unknown> }} */
  const module = { exports: {} }
  const known = new Map(await Promise.all(values.map(loadValue)))
  const require = createRequire(join(root, path))
  const requireHere = (/** @type {string} */ id) => known.get(id) ?? require(id)
  script.runInThisContext()(module.exports, requireHere, module)
  // After its work, when the functions that it uses are compiled.
  if (cachedData === undefined || script.cachedDataRejected)
    process.once('exit', () => keepCode(script, code))
  return module.exports
}

/** @param {string} path */
async function loadValue(path) {
  const { compiledValue } = await import('./importCompiled.mjs')
  return /** @type {const} */ ([path, await compiledValue(path)])
}

/**
 * @param {Script} script
 * @param {string} file
 */
function keepCode(script, file) {
  const draft = `${file}.${process.pid}`
  try {
    writeFileSync(draft, script.createCachedData())
    renameSync(draft, file)
  } catch {
    // Without it the next start takes longer.
  }
}
