import type { Builtin } from '../builtins/builtin.ts'
import type { RegoError } from '../errors.ts'
import type { Body, Module, Scalar, Term } from '../syntax/ast.ts'
import { isWildcard } from '../syntax/ast.ts'
import type { Scalar as ScalarValue } from '../values/value.ts'
import { arityOf, checkCalls, checkDeprecated } from './calls.ts'
import { checkConflicts } from './conflicts.ts'
import type { Dialect } from './dialect.ts'
import { type DocNode, DocTree } from './documents.ts'
import { type Globals, globalsOf, packageKey, ruleNames, unusedImports } from './globals.ts'
import { checkAnnotations } from './metadata.ts'
import { checkRecursion } from './recursion.ts'
import { constantPath, type Reads, readsOf, ruleReads } from './references.ts'
import { Resolver } from './resolve.ts'
import { pathText, type ResolvedRule } from './resolved.ts'
import { checkQuerySafety, checkSafety, headTerms } from './safety.ts'
import { Stages } from './stages.ts'
import { isClosure, literalTerms, walkBody, walkTerm } from './visit.ts'

/** All modules, compiled and checked. Immutable except for `types`. */
export type Program = {
  readonly modules: readonly Module[]
  readonly builtins: ReadonlyMap<string, Builtin>
  readonly dialect: Dialect
  readonly tree: DocTree
  readonly rules: readonly ResolvedRule[]
  readonly reads: ReadonlyMap<ResolvedRule, Reads>
  /** Topologically sorted: every node follows its dependencies. */
  readonly sorted: readonly DocNode[]
  /** Inferred types, for later queries. */
  types?: unknown
}

/** Checks a compiled program, or a query against one; its errors are compile errors. */
export type TypeCheck = {
  program(program: Program): void
  query(program: Program, body: Body): void
}

export type CompileOptions = {
  readonly types?: TypeCheck | undefined
  readonly dialect?: Dialect | undefined
  /** Receives all errors of the first stage that has some; otherwise there is only the first, which is thrown. */
  readonly errors?: RegoError[] | undefined
  /** Refuses variables, arguments and imports that are not used. */
  readonly strict?: boolean | undefined
}

/**
 * Compiles modules: names, rule conflicts, calls, recursion, safety, types, in this order.
 *
 * @throws RegoError for the first error
 */
export function compileModules(
  modules: readonly Module[],
  builtins: ReadonlyMap<string, Builtin>,
  { types, dialect = 'engine-0.9', errors, strict = false }: CompileOptions = {},
): Program {
  const stages = new Stages(errors)
  const names = ruleNames(modules)
  const tree = new DocTree()
  const rules: ResolvedRule[] = []
  const nullary = nullaryRules(modules, dialect)
  const isNullary = (path: string): boolean => nullary.has(path)
  const isBuiltin = (name: string): boolean => builtins.has(name)
  const unused = { imports: [] as RegoError[], locals: [] as RegoError[] }
  for (const module of modules) {
    const path = module.package.path.path.map((part) => (part as Scalar).value as ScalarValue)
    tree.grow(path).isPackage = true
    stages.part(() => {
      const globals = globalsOf(module, names.get(packageKey(module)) ?? new Map())
      const own = new Stages(errors === undefined ? undefined : [])
      const usage = strict ? { used: new Set<string>(), unused: [] } : undefined
      for (const rule of module.rules) {
        own.part(() => {
          const resolver = new Resolver({ globals, isBuiltin, isNullary, dialect, strict: usage })
          const resolved = resolver.rule(rule, module, rules.length)
          rules.push(resolved)
          tree.add(resolved)
        })
      }
      // Of a module with an error it is not known what it uses.
      if (usage !== undefined && !own.hasFailed) {
        unused.imports.push(...unusedImports(module, usage.used))
        unused.locals.push(...usage.unused)
      }
      stages.add(own)
    })
  }
  if (unused.imports.length > 0) stages.instead(unused.imports)
  else for (const error of unused.locals) stages.fail(error)
  stages.end()
  checkConflicts(tree, rules, stages)
  stages.end()
  if (rules.some(readsMetadata)) checkAnnotations(modules, builtins)
  const functions = { tree, builtins, dialect }
  const reads = new Map<ResolvedRule, Reads>()
  for (const rule of rules) reads.set(rule, ruleReads(tree, rule))
  for (const rule of rules) {
    const [terms, bodies] = partsOf(rule)
    for (const literal of bodies.flat()) stages.part(() => checkCalls(functions, [], [[literal]]))
    stages.part(() => checkCalls(functions, terms, []))
  }
  stages.end()
  const arity = (operator: Term): number | undefined => arityOf(functions, operator)
  for (const rule of rules) stages.part(() => checkSafety(rule, arity))
  stages.end()
  const sorted = checkRecursion(tree.nodes, reads)
  // Sorted by dependencies, so that later walks need not recurse along long chains.
  const ordered = sorted.flatMap(rulesOf)
  const program: Program = { modules, builtins, dialect, tree, rules: ordered, reads, sorted }
  types?.program(program)
  for (const rule of rules) stages.part(() => checkDeprecated(functions, ...partsOf(rule)))
  stages.end()
  return program
}

const partsOf = (rule: ResolvedRule): [terms: readonly Term[], bodies: readonly Body[]] => [
  rule.branches.flatMap((branch) => headTerms(rule, branch)),
  rule.branches.map((branch) => branch.body),
]

/** Whether a rule calls `rego.metadata.*`. */
function readsMetadata(rule: ResolvedRule): boolean {
  if (rule.module.annotations.length === 0) return false
  let isRead = false
  const visit = (term: Term): boolean => {
    isRead ||= term.kind === 'call' && term.operator.span.text.startsWith('rego.metadata.')
    return !isRead
  }
  const [terms, bodies] = partsOf(rule)
  for (const term of terms) walkTerm(term, visit)
  for (const body of bodies) walkBody(body, visit)
  return isRead
}

const rulesOf = (node: DocNode): ResolvedRule[] =>
  node.default === undefined ? node.rules : [...node.rules, node.default]

/**
 * The paths of rules that may be called without arguments: in the engine at 0.9 those that are written so, `f() := 1`, in
 * OPA every rule without arguments whose value may have any type, which the type checker finds out.
 */
function nullaryRules(modules: readonly Module[], dialect: Dialect): ReadonlySet<string> {
  const paths = new Set<string>()
  for (const { package: pkg, rules } of modules) {
    for (const { head } of rules) {
      const isWritten =
        head.args?.length === 0 || (dialect === 'opa-1.2' && head.args === undefined)
      if (!isWritten || head.ref.head.kind !== 'var') continue
      const path = constantPath([...pkg.path.path, ...head.ref.path])
      path.splice(pkg.path.path.length, 0, head.ref.head.name)
      paths.add(pathText(path))
    }
  }
  return paths
}

export type CompiledQuery = {
  readonly body: Body
  /** The variables of the query: names as written, and within the body. */
  readonly vars: readonly { readonly name: string; readonly local: string }[]
  readonly reads: Reads
}

/**
 * Compiles a query against a program.
 *
 * @param module whose package and imports the names of the query are of; without it only `data` and `input` are known
 */
export function compileQuery(
  program: Program,
  body: Body,
  types?: TypeCheck,
  module?: Module,
): CompiledQuery {
  const isBuiltin = (name: string): boolean => program.builtins.has(name)
  const nullary = nullaryRules(program.modules, program.dialect)
  const resolved = new Resolver({
    globals: module === undefined ? new Map() : globalsIn(program, module),
    isBuiltin,
    isNullary: (path) => nullary.has(path),
    dialect: program.dialect,
  }).query(body)
  const { tree } = program
  checkCalls(program, [], [resolved])
  checkQuerySafety(resolved, (operator) => arityOf(program, operator))
  types?.query(program, resolved)
  checkDeprecated(program, [], [resolved])
  return { body: resolved, vars: queryVars(resolved), reads: readsOf(tree, [], [resolved]) }
}

const globalsIn = ({ modules }: Program, module: Module): Globals =>
  globalsOf(module, ruleNames(modules).get(packageKey(module)) ?? new Map())

function queryVars(body: Body): { name: string; local: string }[] {
  const vars = new Map<string, string>()
  const visit = (term: Term): boolean => {
    if (term.kind === 'var' && !isWildcard(term.name) && !isRoot(term.name)) {
      vars.set(term.source ?? term.name, term.name)
    }
    return !isClosure(term)
  }
  for (const literal of body) {
    if (literal.negated) continue
    for (const term of literalTerms(literal)) walkTerm(term, visit)
  }
  return [...vars].map(([name, local]) => ({ name, local }))
}

const isRoot = (name: string): boolean => name === 'data' || name === 'input'
