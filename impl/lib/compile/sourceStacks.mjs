// @ts-check
// An import of these would load the streams of Node, which takes longer than evaluating a policy.
const { readFileSync } = process.getBuiltinModule('node:fs')
const { SourceMap } = process.getBuiltinModule('node:module')
const { fileURLToPath, pathToFileURL } = process.getBuiltinModule('node:url')

/** @typedef {{ sources: string[], sourcesContent?: string[], version: number, names: string[], mappings: string, file: string, sourceRoot: string }} Payload */

/**
 * Makes stack traces refer to the sources of the bundles in a directory. Node can do it too, but
 * then reads the map of every module that has one, packages included, when it loads the module: a
 * seventh of the CPU time of a start. Here a map is read when a stack with its bundle is first
 * shown.
 * @param {string} directory
 */
export function showSourcesInStacks(directory) {
  const place = `${pathToFileURL(directory).href}/`
  /** @type {Map<string, import('node:module').SourceMap | undefined>} */
  const maps = new Map()

  /** @param {string} bundle its URL */
  const mapOf = (bundle) => {
    if (!maps.has(bundle)) maps.set(bundle, readMap(bundle))
    return maps.get(bundle)
  }

  /** @param {NodeJS.CallSite} frame */
  const shown = (frame) => {
    const text = String(frame)
    const bundle = frame.getFileName()
    const [line, column] = [frame.getLineNumber(), frame.getColumnNumber()]
    if (!bundle?.startsWith(place) || line === null || column === null) return text
    const found = mapOf(bundle)?.findEntry(line - 1, column - 1)
    if (found === undefined || !('originalSource' in found)) return text
    const source = new URL(found.originalSource, bundle).href
    const at = `${source}:${found.originalLine + 1}:${found.originalColumn + 1}`
    return text.replace(`${bundle}:${line}:${column}`, at)
  }

  Error.prepareStackTrace = (error, frames) =>
    [Error.prototype.toString.call(error), ...frames.map((frame) => `    at ${shown(frame)}`)].join(
      '\n',
    )
}

/** @param {string} bundle */
function readMap(bundle) {
  try {
    const text = readFileSync(fileURLToPath(`${bundle}.map`), 'utf8')
    return new SourceMap(/** @type {Payload} */ (JSON.parse(text)))
  } catch {
    // Removed as outdated: the stack refers to the bundle.
    return undefined
  }
}
