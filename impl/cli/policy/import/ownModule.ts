import { CommandError } from '../../commandDefinition.ts'

const required = /\brequire\(\s*(['"])([^'"]+)\1\s*\)/g
const commonJs = /\b(module\.exports|exports\.run)\b/
const defaultFunction = /^export\s+default\s+(function(?:\s+\w+)?\s*\()/m
const defaultValue = /^export\s+default\s+/m
const namedRun =
  /^export\s+(function|const|let|var|async)\b[^\n]*\brun\b|^export\s*\{[^{}]*\brun\b[^{}]*\}/m

/** Whether a source may be that of an oracle: it exports `run`, a default, or as CommonJS modules do. */
export const isModuleOfOracle = (source: string): boolean =>
  [namedRun, defaultValue, commonJs].some((form) => form.test(source))

/**
 * The source of an oracle as a module that exports `run`, from a CommonJS module or one whose default export is the
 * function or an object with it.
 *
 * @param path for errors
 * @throws CommandError if it exports neither
 */
export function ownModule(path: string, source: string): string {
  if (namedRun.test(source)) return source
  if (defaultFunction.test(source)) {
    return (
      source.replace(defaultFunction, (_, head: string) => `const imported = ${head}`) +
      exported('imported')
    )
  }
  if (defaultValue.test(source))
    return source.replace(defaultValue, 'const imported = ') + exported('imported')
  if (commonJs.test(source)) return fromCommonJs(source)
  throw new CommandError(`${path} exports no function run`, {
    hint: 'The service calls run(input), with the arguments as JSON text.',
  })
}

/** A function, or an object with one. */
const exported = (name: string): string =>
  `\nexport const run = (input) =>\n  typeof ${name} === 'function' ? ${name}(input) : ${name}.run(input)\n`

function fromCommonJs(source: string): string {
  const imports = new Map<string, string>()
  const text = source.replaceAll(required, (_, _quote, specifier: string) => {
    const name = imports.get(specifier) ?? `required${imports.size + 1}`
    imports.set(specifier, name)
    return name
  })
  const lines = [...imports].map(
    ([specifier, name]) => `import * as ${name} from ${JSON.stringify(specifier)}\n`,
  )
  return `${lines.join('')}const module = { exports: {} }\nconst exports = module.exports\n${text.replace(/^(['"])use strict\1;?\n/, '')}${exported('module.exports')}`
}
