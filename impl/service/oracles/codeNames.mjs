// @ts-check
/**
 * The names that a component's core modules import and export stand in the generated code that joins
 * the modules. The transpiler puts them between quotes as they are, so a name with a quote in it
 * would be code of the component's maker, run outside WebAssembly: such a component is refused
 * before anything it says is evaluated.
 */

const longestName = 4_096

// What toolchains write: identifiers, `wasi:io/streams@0.2.0`, `[method]fields.append`, `$imports`.
const plainName = /^[\w $.:;@/[\]<>()#%+=&|!?~^,-]*$/

/**
 * The first name in a core module that may not stand in code; undefined when there is none.
 * The names are those that the engine reads, so that no other reading can differ from it.
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
  return name.length <= longestName && name !== '__proto__' && plainName.test(name)
}

/**
 * A name as an error text may show it.
 * @param {string} name
 */
export function shownName(name) {
  return JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}...` : name)
}
