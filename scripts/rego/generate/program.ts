import type { Builtin } from 'polgate-rego/builtins/builtin.ts'
import { profileBuiltins } from 'polgate-rego/builtins/capabilities.ts'
import type { ModuleSource } from 'polgate-rego/engine.ts'
import { Choices } from './choices.ts'
import { rulesOf } from './rules.ts'
import type { Defined } from './termSource.ts'
import { Terms } from './terms.ts'

type Options = {
  readonly builtins: readonly Builtin[]
  readonly wild: boolean
  /** A built-in that the program calls. */
  readonly focus?: Builtin | undefined
}

const ALL = [...profileBuiltins('opa-1.2').values()]

/**
 * A Rego v1 policy derived from a list of numbers: rules of all kinds, each using earlier ones.
 * Mostly well typed; with `wild`, sometimes not.
 */
export function program(
  numbers: readonly number[],
  { pkg, wild }: { readonly pkg: string; readonly wild: boolean },
): string {
  const choices = new Choices(numbers)
  const make = (defined: readonly Defined[]) => new Terms(choices, defined, { wild, builtins: ALL })
  const { texts } = rulesOf(choices, make, { most: 12 })
  return `package ${pkg}\n\n${texts.join('\n\n')}\n`
}

const LIBRARIES = ['lib', 'lib2']

/**
 * The modules of a program: `gen.main`, and before it up to two libraries that it imports or refers
 * to by their full names.
 */
export function modules(choices: Choices, options: Options): ModuleSource[] {
  const made: ModuleSource[] = []
  const known: Defined[] = []
  const imports: string[] = []
  const libraries = choices.rarely(3) ? LIBRARIES.slice(0, 1 + choices.below(2)) : []
  for (const library of libraries) {
    const make = (defined: readonly Defined[]) => new Terms(choices, defined, options)
    const { texts, defined } = rulesOf(choices, make, { most: 1 + choices.below(3) })
    made.push({ name: `${library}.rego`, source: module(`gen.${library}`, [], texts) })
    const prefix = choices.one([`data.gen.${library}`, library, `as_${library}`])
    if (prefix === library) imports.push(`data.gen.${library}`)
    if (prefix === `as_${library}`) imports.push(`data.gen.${library} as ${prefix}`)
    for (const each of defined) known.push({ ...each, name: `${prefix}.${each.name}` })
    const [first] = defined
    if (first !== undefined && choices.rarely(4)) {
      imports.push(`data.gen.${library}.${first.name} as x_${library}`)
      known.push({ ...first, name: `x_${library}` })
    }
  }
  if (choices.rarely(8))
    imports.push(choices.one(['rego.v1', 'future.keywords', 'future.keywords.in']))
  if (choices.rarely(8)) {
    imports.push('input.array as in_array')
    known.push({ name: 'in_array', kind: 'array', args: [] })
  }
  const make = (defined: readonly Defined[]) => new Terms(choices, defined, options)
  const { texts } = rulesOf(choices, make, {
    most: 1 + choices.below(6),
    known,
    focus: options.focus,
  })
  made.push({ name: 'main.rego', source: module('gen.main', imports, texts) })
  return made
}

const module = (pkg: string, imports: readonly string[], rules: readonly string[]): string =>
  `${[`package ${pkg}`, imports.map((path) => `import ${path}`).join('\n'), ...rules]
    .filter((part) => part !== '')
    .join('\n\n')}\n`
