// @ts-check
/**
 * The generated code that links the core modules of a component contains the names that they import
 * and export. The transpiler quotes them without escaping, so a name with a quote in it would be
 * code of the component's author, run outside WebAssembly. Such a component is rejected before any
 * of its code is evaluated.
 */

const maxName = 4_096

// Names that toolchains write: identifiers, `wasi:io/streams@0.2.0`, `[method]fields.append`,
// `$imports`.
const plainName = /^[\w $.:;@/[\]<>()#%+=&|!?~^,-]*$/

/**
 * The first name in a core module that is not allowed in code; undefined when there is none.
 * The engine itself reads the names, so that no second parser can disagree with it.
 * @param {WebAssembly.Module} module
 * @returns {string | undefined}
 */
export function strangeName(module) {
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    if (!isPlain(from)) return from
    if (!isPlain(name)) return name
  }
  return WebAssembly.Module.exports(module).find(({ name }) => !isPlain(name))?.name
}

/** @param {string} name */
function isPlain(name) {
  return name.length <= maxName && name !== '__proto__' && plainName.test(name)
}

/**
 * A name, quoted and truncated for an error message.
 * @param {string} name
 */
export function shownName(name) {
  return JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}...` : name)
}
