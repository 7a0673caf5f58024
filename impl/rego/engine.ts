import { randomSeed } from '#platform'
import type { Builtin, PolicyHooks } from './builtins/builtin.ts'
import { coreByName } from './builtins/core.ts'
import type { PrivateData } from './builtins/private/privateData.ts'
import type { Dialect } from './compile/dialect.ts'
import type { DocNode } from './compile/documents.ts'
import { Metadata } from './compile/metadata.ts'
import { compileModules, compileQuery, type Program, type TypeCheck } from './compile/program.ts'
import { RegoError } from './errors.ts'
import { chargeAnswer } from './evaluate/answer.ts'
import { checkBaseDocument } from './evaluate/baseConflicts.ts'
import { Context } from './evaluate/context.ts'
import { documentOf, merged } from './evaluate/documentOf.ts'
import { baseAt, extent } from './evaluate/documents.ts'
import { guarded } from './evaluate/guarded.ts'
import { Machine } from './evaluate/machine.ts'
import { planQuery, type Row } from './evaluate/planQuery.ts'
import { DEFAULT_LIMITS, type Limits, Run, type RunOptions } from './evaluate/run.ts'
import type { Tracer } from './evaluate/tracer.ts'
import type { Module } from './syntax/ast.ts'
import { moduleJson } from './syntax/astJson.ts'
import { parseModule, parseQuery } from './syntax/parser.ts'
import { Source } from './syntax/source.ts'
import { typeCheck } from './types/check.ts'
import { fromJson } from './values/json.ts'
import { RegoObject } from './values/object.ts'
import type { Scalar, Value } from './values/value.ts'

export type { Row } from './evaluate/planQuery.ts'

export type ModuleSource = { readonly name: string; readonly source: string }

/** Inputs of an evaluation. JSON text preserves integers of any size; plain data is converted. */
export type Documents = {
  /** A Rego value or plain JSON data. If absent, `input` is undefined. */
  readonly input?: unknown
  /** The same as JSON text. */
  readonly inputJson?: string
  /** Merged over the engine's data; a document at the path of a rule is refused. */
  readonly data?: unknown
  readonly dataJson?: string
}

export type EvaluateOptions = Documents & {
  /** Whether errors of built-ins end the evaluation instead of making the call undefined. */
  readonly strict?: boolean
  readonly limits?: Partial<Limits>
  /** The time of the evaluation, nanoseconds since 1970. */
  readonly nowNs?: () => bigint
  /** Seed of `rand.intn` and `uuid.rfc4122`. */
  readonly seed?: () => Uint8Array
  readonly print?: (line: string) => void
  readonly runtime?: Value
  /**
   * What the extensions for identity and confidential data read. With it, errors contain no values, nothing is
   * printed, and nothing that is computed outlives the evaluation.
   */
  readonly privateData?: PrivateData
}

export type EngineOptions = EvaluateOptions & {
  readonly modules: readonly ModuleSource[]
  /** The built-ins a policy may call; by default those of `builtins/core.ts`. */
  readonly builtins?: ReadonlyMap<string, Builtin>
  /** Additional built-ins, which override those with the same name. */
  readonly extensions?: readonly Builtin[]
  /** Whose semantics apply where the engines disagree; `engine-0.9` by default (decision R14). */
  readonly dialect?: Dialect
  /** Whether to type-check after all other checks. */
  readonly types?: TypeCheck
  /** Changes the modules before they are compiled. `Engine.modules` are those that were parsed. */
  readonly rewrite?: (modules: readonly Module[]) => readonly Module[]
  /** Traces all evaluations of this engine. */
  readonly tracer?: Tracer
  /**
   * Monotonic clock for the deadline, milliseconds. Default: the CPU time of the evaluation, with
   * the wall clock as a backstop.
   */
  readonly clock?: () => number
  /** Maximum size of a module in characters. */
  readonly maxSource?: number
}

/** A compiled query. */
export type PreparedQuery = {
  /** @throws RegoError if the evaluation fails; LimitError if a limit is exceeded */
  evaluate(options?: EvaluateOptions): readonly Row[]
}

/** One evaluation for several queries: rules are evaluated once for all of them. */
export type Evaluation = {
  query(prepared: PreparedQuery): readonly Row[]
  /**
   * The value of a rule, or undefined. `path` is `package.rule`, with or without `data.`.
   *
   * @throws RegoError `undefined rule '...'` if there is no such rule
   */
  rule(path: string): Value | undefined
  /** The value of the document at a path below `data`, or undefined. */
  document(path: readonly Scalar[]): Value | undefined
}

export type Engine = {
  readonly modules: readonly Module[]
  /** @param header a package and imports, whose names the query may use: `package a\nimport data.b` */
  prepare(query: string, header?: string): PreparedQuery
  begin(options?: EvaluateOptions): Evaluation
  /** The value of one rule. @throws RegoError as `Evaluation.rule` */
  evaluateRule(path: string, options?: EvaluateOptions): Value | undefined
  hasRule(path: string): boolean
  /** The same program, whose evaluations a tracer follows. */
  traced(tracer: Tracer): Engine
  /** The same program with other base documents. @throws RegoError for one at the path of a rule */
  withData(documents: Pick<Documents, 'data' | 'dataJson'>): Engine
}

/**
 * Parses and compiles modules.
 *
 * @throws RegoError for the first error, with code, file, row and column
 */
export const createEngine = (options: EngineOptions): Engine =>
  guarded(() => {
    const { maxSource } = options
    const modules = options.modules.map(({ name, source }) =>
      parseModule(new Source(name, source), { maxSource }),
    )
    const { dialect, types = typeCheck, rewrite = unchanged } = options
    const program = compileModules(rewrite(modules), builtinsOf(options), { types, dialect })
    return new CompiledEngine(modules, program, options)
  })

const unchanged = (modules: readonly Module[]): readonly Module[] => modules

type RunnableQuery = PreparedQuery & { run(c: Context): readonly Row[] }

class CompiledEngine implements Engine {
  readonly modules: readonly Module[]
  private readonly options: EngineOptions
  private readonly machine: Machine
  private readonly data: Value
  private readonly limits: Limits
  private readonly cache = new Map<string, unknown>()
  /** Of an evaluation that has only documents. */
  private readonly usual: RunOptions

  constructor(modules: readonly Module[], program: Program, options: EngineOptions) {
    this.modules = modules
    this.options = options
    this.limits = { ...DEFAULT_LIMITS, ...options.limits }
    let metadata: Metadata | undefined
    this.machine = new Machine(program, {
      tracer: options.tracer,
      constantCall: (rule, name) => {
        const read = program.builtins.get(name)?.readAnnotations
        if (read === undefined) return undefined
        metadata ??= new Metadata(program.modules, read)
        return name === 'rego.metadata.rule' ? metadata.rule(rule) : metadata.chain(rule)
      },
    })
    this.data = documentOf(options.data, options.dataJson) ?? new RegoObject()
    checkBaseDocument(program.tree.root, this.data)
    this.usual = this.runOptions({})
  }

  prepare(text: string, header?: string): PreparedQuery {
    return guarded(() => {
      const module = header === undefined ? undefined : parseModule(new Source('header', header))
      const body = parseQuery(new Source('query', text), { maxSource: this.options.maxSource })
      const types = this.options.types ?? typeCheck
      const compiled = compileQuery(this.machine.program, body, types, module)
      const run = planQuery(this.machine, compiled)
      const first = body[0]?.span.location
      const query: RunnableQuery = {
        run: (c) => guarded(() => c.run.evaluate(() => run(c)), first, c.run.isPrivate),
        evaluate: (options = {}) => query.run(this.begun(options)),
      }
      return query
    })
  }

  begin(options: EvaluateOptions = {}): Evaluation {
    const c = this.begun(options)
    return {
      query: (prepared) => (prepared as RunnableQuery).run(c),
      rule: (path) => {
        const node = this.node(path)
        if (node === undefined) {
          throw new RegoError('eval_internal_error', `undefined rule '${path}'`)
        }
        return guarded(
          () =>
            c.run.evaluate(() => {
              const value = this.machine.value(c, node)
              if (value !== undefined) chargeAnswer(c.run, value)
              return value
            }),
          (node.rules[0] ?? node.default)?.span.location,
          c.run.isPrivate,
        )
      },
      document: (path) => {
        const node = this.at(path)
        if (node === undefined) return undefined
        return guarded(() =>
          c.run.evaluate(() => {
            const value =
              node.kind === undefined
                ? extent(c, node, baseAt(c.data, path))
                : this.machine.value(c, node)
            if (value !== undefined) chargeAnswer(c.run, value)
            return value
          }),
        )
      },
    }
  }

  evaluateRule(path: string, options: EvaluateOptions = {}): Value | undefined {
    return this.begin(options).rule(path)
  }

  hasRule(path: string): boolean {
    return this.node(path) !== undefined
  }

  traced(tracer: Tracer): Engine {
    return new CompiledEngine(this.modules, this.machine.program, { ...this.options, tracer })
  }

  withData({ data, dataJson }: Pick<Documents, 'data' | 'dataJson'>): Engine {
    const options = { ...this.options, data, dataJson } as EngineOptions
    return guarded(() => new CompiledEngine(this.modules, this.machine.program, options))
  }

  /** The node with the rules of a path, without the prefix `data.`. */
  private node(path: string): DocNode | undefined {
    const node = this.at(path.replace(/^data\./, '').split('.'))
    return node?.kind === undefined || node.kind === 'function' ? undefined : node
  }

  private at(path: readonly Scalar[]): DocNode | undefined {
    let node: DocNode | undefined = this.machine.program.tree.root
    for (const part of path) node = node?.children.get(part)
    return node
  }

  private begun(options: EvaluateOptions): Context {
    if (options.privateData === undefined) return this.context(options)
    return guarded(() => this.context(options), undefined, true)
  }

  private context(options: EvaluateOptions): Context {
    const run = new Run(hasOnlyDocuments(options) ? this.usual : this.runOptions(options))
    const input = documentOf(options.input, options.inputJson)
    const extra = documentOf(options.data, options.dataJson)
    if (extra !== undefined) checkBaseDocument(this.machine.program.tree.root, extra)
    const data = extra === undefined ? this.data : merged(this.data, extra)
    return new Context({ run, rules: this.machine, input, data }, undefined, undefined)
  }

  private runOptions(options: EvaluateOptions): RunOptions {
    const own = this.options
    const { privateData } = options
    const limits = { ...this.limits, ...options.limits }
    return {
      strict: options.strict ?? own.strict ?? true,
      limits,
      deadline: { limitMs: limits.deadlineMs, clock: own.clock },
      nowNs: options.nowNs ?? own.nowNs ?? wallClock,
      seed: options.seed ?? own.seed ?? randomSeed,
      print: privateData === undefined ? (options.print ?? own.print) : undefined,
      runtime: options.runtime ?? own.runtime,
      privateData,
      // Its keys are patterns and other texts, which may come from private data.
      cache: privateData === undefined ? this.cache : new Map(),
      hooks: HOOKS,
      dialect: own.dialect,
    }
  }
}

/** Most evaluations: those of one engine share the rest. */
const hasOnlyDocuments = (options: EvaluateOptions): boolean =>
  options.strict === undefined &&
  options.limits === undefined &&
  options.nowNs === undefined &&
  options.seed === undefined &&
  options.print === undefined &&
  options.runtime === undefined &&
  options.privateData === undefined

const wallClock = (): bigint => BigInt(Date.now()) * 1_000_000n

const HOOKS: PolicyHooks = {
  parseModule: (file, text) => fromJson(moduleJson(parseModule(new Source(file, text)))),
}

function builtinsOf(options: EngineOptions): ReadonlyMap<string, Builtin> {
  const base = options.builtins ?? coreByName
  if (options.extensions === undefined || options.extensions.length === 0) return base
  return new Map([...base, ...options.extensions.map((each) => [each.name, each] as const)])
}
