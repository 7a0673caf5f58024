import { compileModules } from 'polgate-rego/compile/program.ts'
import { constantPath, isDataRef } from 'polgate-rego/compile/references.ts'
import type { ResolvedRule } from 'polgate-rego/compile/resolved.ts'
import { walkBody, walkTerm } from 'polgate-rego/compile/visit.ts'
import { RegoError } from 'polgate-rego/errors.ts'
import type { Module, Ref, Scalar, Term } from 'polgate-rego/syntax/ast.ts'
import { isKeywordImport } from 'polgate-rego/syntax/imports.ts'
import { parseModule } from 'polgate-rego/syntax/parser.ts'
import { Source, type Span } from 'polgate-rego/syntax/source.ts'
import { usedCapabilities } from '../../rego/usedCapabilities.ts'

export type NamedSource = { readonly name: string; readonly source: string }

/** One of the policies that become a policy together. */
export type Part = {
  readonly policy: NamedSource
  readonly tests: readonly NamedSource[]
  /** Below the package of the composed policy, and below `data.params`. */
  readonly namespace: string
}

export type NamespacedPart = {
  /** Its rules, without package and imports. */
  readonly rules: string
  /** Names of its rules in its own package. */
  readonly names: ReadonlySet<string>
  /** Whole modules. */
  readonly tests: readonly NamedSource[]
}

export type Renaming = {
  readonly part: Part
  /** The package of the composed policy. */
  readonly target: string
}

type Edit = { readonly start: number; readonly end: number; readonly text: string }
type Path = readonly (string | number | boolean | null | bigint | object)[]

/**
 * The rules of a policy under a name of their own: `allow` becomes `kyc.allow`, and wherever policy and tests read a
 * rule or `data.params`, they read it below the namespace. Names are those that the compiler resolves, so that
 * a local variable with the name of a rule stays one.
 *
 * @throws RegoError if it does not compile, or reads a folder of packages that would have the other policies too
 */
export async function namespacedModule({ part, target }: Renaming): Promise<NamespacedPart> {
  const all = [part.policy, ...part.tests]
  const builtins = (await usedCapabilities(all.map(({ source }) => source))).service
  const modules = all.map(({ name, source }) => parseModule(new Source(name, source)))
  const program = compileModules(modules, builtins)
  const [policy] = modules as [Module, ...Module[]]
  const own = pathOf(policy)
  const names = new Set(policy.rules.map(({ head }) => headName(head.ref)))
  const { namespace } = part
  const ofTests = modules.slice(1).map(pathOf)
  const rename = (path: Path): Path => {
    if (path[0] === 'params') return ['params', namespace, ...path.slice(1)]
    const next = path[own.length]
    if (isBelow(path, own) && (next === undefined || names.has(String(next))))
      return [target, namespace, ...path.slice(own.length)]
    return ofTests.some((each) => isBelow(path, each))
      ? [testsOf(target), namespace, ...path]
      : path
  }
  const editsOf = (module: Module) =>
    program.rules
      .filter((rule) => rule.module === module)
      .flatMap((rule) => referencesOf(rule))
      .flatMap((reference) => editOf(reference, own, rename))
  const [rules, ...tests] = modules.map((module, at) => {
    const { source } = all[at] as NamedSource
    const imports = module.imports
      .filter((each) => at === 0 || !isKeywordImport(each.path))
      .map(({ span }) => removed(span))
    const ofModule =
      at === 0
        ? ofPolicy(module, namespace)
        : [before(module.package.path.span, `${testsOf(target)}.${namespace}.`)]
    return edited(source, [...editsOf(module), ...imports, ...ofModule])
  })
  return {
    rules: (rules as string).trim(),
    names,
    tests: tests.map((source, at) => ({ name: (part.tests[at] as NamedSource).name, source })),
  }
}

const pathOf = (module: Module): readonly string[] =>
  module.package.path.path.map((each) => String((each as Scalar).value))

const headName = ({ head }: Ref): string => (head.kind === 'var' ? head.name : '')

const isBelow = (path: Path, folder: readonly string[]): boolean =>
  folder.every((name, at) => path[at] === name)

/** Tests of two policies may have packages and rules of one name. */
const testsOf = (target: string): string => `${target}_tests`

const before = ({ start }: Span, text: string): Edit => ({ start, end: start, text })

const removed = ({ start, end }: Span): Edit => ({ start, end, text: '' })

/** The heads of its rules below the namespace; no package, and no annotation of one. */
function ofPolicy(module: Module, namespace: string): readonly Edit[] {
  const heads = module.rules.map(({ head: { ref } }) => before(ref.span, `${namespace}.`))
  const blocks = module.annotations
    .filter(({ target }) => target === module.package)
    .map(({ span }) => before(span, '# Of the package:\n'))
  return [...heads, ...blocks, removed(module.package.span)]
}

/** References below `data`, those in operators of calls too. */
function referencesOf(rule: ResolvedRule): readonly Ref[] {
  const found: Ref[] = []
  const visit = (term: Term): boolean => {
    if (isDataRef(term)) {
      found.push(term)
      for (const part of term.path) walkTerm(part, visit)
      return false
    }
    if (term.kind === 'call') walkTerm(term.operator, visit)
    return true
  }
  for (const term of rule.rest) walkTerm(term, visit)
  for (const { member, value, body } of rule.branches) {
    if (member !== undefined) walkTerm(member, visit)
    if (value !== undefined) walkTerm(value, visit)
    walkBody(body, visit)
  }
  return found
}

function refuseWhole({ location }: Span): never {
  const message =
    'reads all of data, which has the other policies too: name what it reads, such as data.params.limit'
  throw new RegoError('rego_compile_error', message, { location })
}

/** The edit of one reference; none where its name stays. */
function editOf(
  reference: Ref,
  own: readonly string[],
  rename: (path: Path) => Path,
): readonly Edit[] {
  const { span, path } = reference
  const constant = constantPath(path)
  const isPartOfOwn = constant.length < own.length && constant.every((key, at) => key === own[at])
  if (isPartOfOwn) refuseWhole(span)
  const { source, start } = span
  const token = /^[A-Za-z_]\w*/.exec(source.text.slice(start))?.[0] ?? ''
  const tokenEnd = start + token.length
  // The parts that are written behind the token; the others are what the token stands for.
  const isWritten = (part: Term): boolean =>
    part.span.source === source && part.span.start >= tokenEnd && part.span.end <= span.end
  const behind = token === 'data' ? 0 : path.findIndex(isWritten)
  const covered = behind < 0 ? path.length : behind
  const renamed = rename(constant)
  if (renamed === constant && covered === 0) return []
  const kept = token === 'data' ? renamedLength(constant, renamed) : covered
  const added = renamed.length - constant.length
  const text = dotted(renamed.slice(0, kept + added))
  const end = kept > covered ? endOf(path[kept - 1] as Term) : tokenEnd
  return [{ start, end, text }]
}

/** How many keys at the beginning of a path were replaced. */
function renamedLength(from: Path, to: Path): number {
  let same = 0
  while (same < from.length && from.at(-1 - same) === to.at(-1 - same)) same += 1
  return from.length - same
}

/** Behind the bracket of `data["params"]`. */
function endOf({ span }: Term): number {
  const { source, end } = span
  const bracket = /^\s*\]/.exec(source.text.slice(end))
  return source.text[span.start - 1] === '.' || bracket === null ? end : end + bracket[0].length
}

const dotted = (path: Path): string =>
  path.reduce<string>(
    (text, key) =>
      /^[A-Za-z_]\w*$/.test(String(key)) ? `${text}.${key}` : `${text}[${JSON.stringify(key)}]`,
    'data',
  )

/** Applies edits from the end; one that is there twice is made once. */
function edited(text: string, edits: readonly Edit[]): string {
  const sorted = [...new Map(edits.map((each) => [`${each.start} ${each.end}`, each])).values()]
  sorted.sort((a, b) => b.start - a.start || b.end - a.end)
  return sorted.reduce(
    (all, { start, end, text: by }) => all.slice(0, start) + by + all.slice(end),
    text,
  )
}
