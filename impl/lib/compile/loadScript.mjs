// @ts-check
// An import of these would load the streams of Node, which takes longer than evaluating a policy.
const { readFileSync, renameSync, writeFileSync } = process.getBuiltinModule('node:fs')
const { createRequire } = process.getBuiltinModule('node:module')
const { pathToFileURL } = process.getBuiltinModule('node:url')
const { Script } = process.getBuiltinModule('node:vm')

/** Around a script: `wrapper.begin` and `wrapper.end` make it the function that `loadScript` calls. */
export const wrapper = { begin: '(function (exports, require, module, scriptUrl) {', end: '})' }

/**
 * Runs a script that is wrapped as above, and returns its exports. V8's code of it is kept beside it where
 * the folder can be written: code of the functions that a command used, so each command has its own.
 * @param {string} file
 * @param {{ from: string, argv: readonly string[], known?: ReadonlyMap<string, unknown> }} options `from` is
 * the file in whose place the script requires packages; `known` are modules that it requires by other names
 * @returns {Record<string, unknown>}
 */
export function loadScript(file, { from, argv, known }) {
  const url = pathToFileURL(file).href
  const code = `${file}.${commandOf(argv)}${process.version}.code`
  const cachedData = codeIn(code)
  const script = new Script(readFileSync(file, 'latin1'), {
    // As for modules: source maps are found by it.
    filename: url,
    ...(cachedData === undefined ? {} : { cachedData }),
  })
  /** @type {{ exports: Record<string, unknown> }} */
  const module = { exports: {} }
  const require = createRequire(from)
  const requireHere = (/** @type {string} */ id) => known?.get(id) ?? require(id)
  script.runInThisContext()(module.exports, requireHere, module, url)
  // After its work, when the functions that it uses are compiled. A usage error says nothing of them.
  if (cachedData === undefined || script.cachedDataRejected)
    process.once('exit', (status) => {
      if (status !== 2) keepCode(script, code)
    })
  return module.exports
}

/**
 * The command and its subcommand, which are words of letters.
 * @param {readonly string[]} argv
 */
function commandOf(argv) {
  const words = argv.slice(2, 4).filter((word) => /^[a-z]{1,16}$/.test(word))
  return words.map((word) => `${word}.`).join('')
}

/** @param {string} file */
function codeIn(file) {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

/**
 * @param {import('node:vm').Script} script
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
