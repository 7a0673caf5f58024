import type { Builtin } from 'polgate-rego/builtins/builtin.ts'
import { profileBuiltins } from 'polgate-rego/builtins/capabilities.ts'
import { checkModules } from 'polgate-rego/check/checkModules.ts'
import { dialectOf } from 'polgate-rego/compile/dialect.ts'
import type { RegoError } from 'polgate-rego/errors.ts'
import type { Rule } from 'polgate-rego/syntax/ast.ts'
import { parseModule } from 'polgate-rego/syntax/parser.ts'
import { Source } from 'polgate-rego/syntax/source.ts'
import { stringify } from 'polgate-rego/values/json.ts'
import { parseJson } from 'polgate-rego/values/parseJson.ts'
import type { Value } from 'polgate-rego/values/value.ts'
import { type Answer, agree, type DiffProgram, type PeerName } from './answers.ts'
import { type CallMade, callsOf } from './callsOf.ts'
import type { Found } from './engines.ts'
import { type Features, featuresOf } from './features.ts'
import { Here, PROFILE_OF } from './here.ts'
import { sameButEmptyHeads } from './structure.ts'
import { withoutEvery, withoutWiths } from './without.ts'

const HERE: Readonly<Record<PeerName, Here>> = {
  opa: new Here(PROFILE_OF.opa),
  regorus: new Here(PROFILE_OF.regorus),
}

/** What can be found out about a difference with this engine alone, each when it is asked for. */
export class Evidence {
  readonly found: Found
  private ownFeatures: Features | undefined
  private ownCalls: readonly CallMade[] | undefined

  constructor(found: Found) {
    this.found = found
  }

  get features(): Features {
    this.ownFeatures ??= featuresOf(this.found.program)
    return this.ownFeatures
  }

  /** The calls of built-ins that this engine made for its answer. */
  get calls(): readonly CallMade[] {
    this.ownCalls ??= callsOf(this.found)
    return this.ownCalls
  }

  /**
   * Whether the built-in that the peer's error names was not called here, so that it cannot have had
   * another result; for an error without one, whether a call of the program was not made.
   */
  isFailureNotReached(): boolean {
    const { theirs } = this.found
    if (theirs.kind !== 'error') return false
    const made = new Set(this.calls.map(({ name }) => name))
    const named = /^(?:error: )?`?([a-z_]\w*(?:\.\w+)+|[a-z_]\w*)`?(?::| expects| requires)/.exec(
      theirs.message,
    )?.[1]
    if (named !== undefined && this.features.calls.has(named)) return !made.has(named)
    return this.calledNames().some((name) => !made.has(name))
  }

  private calledNames(): string[] {
    const builtins = profileBuiltins(PROFILE_OF[this.found.peer])
    return [...this.features.calls].filter((name) => builtins.has(name))
  }

  /** Whether one of the rules, without others of its name, fails here with a code: by default one of the peer's error. */
  isFailureOfRuleAlone(code?: string): boolean {
    const { program, theirs, peer } = this.found
    if (theirs.kind !== 'error') return false
    const codes = code === undefined ? theirs.codes : [code]
    const here = HERE[peer]
    return rulesAlone(program).some((each) => {
      const answer = here.answer(each)
      return answer.kind === 'error' && codes.includes(answer.codes[0]!)
    })
  }

  /** Whether both agree, or are alike, as soon as errors of built-ins are undefined here. */
  isSameWithoutErrors(alike?: (ours: Answer, theirs: Answer) => boolean): boolean {
    const { program, theirs, peer } = this.found
    const lenient: Answer = HERE[peer].answer({ ...program, strict: false })
    return agree(peer, lenient, theirs) || alike?.(lenient, theirs) === true
  }

  /** Whether this engine finds a fault of the peer's code, too: the compiler, or the evaluation of a rule. */
  isFaultFoundToo(): boolean {
    const { program, ours, theirs } = this.found
    if (theirs.kind !== 'error' || ours.kind !== 'error') return false
    const isOfEvaluation = [ours, theirs].map(({ codes }) => codes[0]!.startsWith('eval_'))
    // A fault of the compiler is found before any evaluation, or not at all.
    if (isOfEvaluation[0] !== isOfEvaluation[1]) return false
    if (isOfEvaluation[0]) {
      return this.isFailureNotReached() || this.isFailureOfRuleAlone() || this.isSameWithoutErrors()
    }
    // OPA gets one module after the other, and refuses the first that has a fault of any kind.
    const { modules } = program
    return modules.some((_, i) =>
      this.faultsOf({ ...program, modules: modules.slice(0, i + 1) }).some((code) =>
        theirs.codes.includes(code),
      ),
    )
  }

  /** Whether the type checker of this engine refuses the program as the peer does, as soon as nothing is replaced. */
  isTypeErrorWithoutWith(): boolean {
    const { program, theirs } = this.found
    const plain = withoutWiths(program)
    if (plain === undefined || theirs.kind !== 'error') return false
    return this.errorsOf(plain).some(
      ({ code, message }) =>
        code === 'rego_type_error' && kindOf(message) === kindOf(theirs.message),
    )
  }

  /** Whether the type checker of this engine accepts the program as soon as no expression is about `every` member. */
  isTypeErrorOfEvery(): boolean {
    const plain = withoutEvery(this.found.program)
    return plain !== undefined && !this.faultsOf(plain).includes('rego_type_error')
  }

  /** Whether the answer is that of this engine, and not one from elsewhere. */
  isOwn(): boolean {
    const { program, ours, peer } = this.found
    const own = HERE[peer].answer(program)
    return agree('opa', ours, own)
  }

  /** Whether this engine answers another program alike. */
  isOwnAnswerTo(rewritten: (program: DiffProgram) => DiffProgram): boolean {
    const { program, ours, peer } = this.found
    return agree('opa', ours, HERE[peer].answer(rewritten(program)))
  }

  /** The same, if the other program is another one. */
  isOwnAnswerToOther(rewritten: (program: DiffProgram) => DiffProgram): boolean {
    const { program } = this.found
    const other = rewritten(program)
    const isOther = other.modules.some(({ source }, i) => source !== program.modules[i]?.source)
    return isOther && this.isOwnAnswerTo(() => other)
  }

  /** Whether this engine answers alike where names are longer, in the program, its query and its documents. */
  isOwnWithOtherNames(names: RegExp): boolean {
    const { program, ours, peer } = this.found
    const found = program.modules.flatMap(({ source }) => source.match(names) ?? [])
    const quoted = new RegExp(`"(${[...new Set(found)].join('|')})"`, 'g')
    const inJson = (json: string): string => json.replace(quoted, '"$1_"')
    const other: DiffProgram = {
      ...program,
      modules: program.modules.map(({ name, source }) => ({
        name,
        source: source.replace(names, '$&_'),
      })),
      query: program.query.replace(names, '$&_'),
      ...(program.input === undefined ? {} : { input: inJson(program.input) }),
      ...(program.data === undefined ? {} : { data: inJson(program.data) }),
    }
    const renamed: Answer =
      ours.kind === 'value' ? { kind: 'value', text: inJson(ours.text) } : ours
    return agree('opa', renamed, HERE[peer].answer(other))
  }

  /** Whether both agree as soon as the results of built-ins are others here. */
  isSameWith(
    names: readonly string[],
    result: (ours: Value, args: readonly Value[], name: string) => Value,
  ): boolean {
    const { program, theirs, peer } = this.found
    const profile = PROFILE_OF[peer]
    const replaced = names.flatMap((name): Builtin[] => {
      const builtin = profileBuiltins(profile).get(name)
      if (builtin === undefined) return []
      const call: Builtin['call'] = (ctx, ...args) => {
        const own = builtin.call(ctx, ...args)
        return own === undefined ? undefined : result(own, args, name)
      }
      return [{ ...builtin, fast: false, call }]
    })
    return agree(peer, new Here(profile, replaced).answer(program), theirs)
  }

  /** Whether both agree as soon as this engine gets another program. */
  isSameAs(rewritten: (program: DiffProgram) => DiffProgram): boolean {
    const { program, theirs, peer } = this.found
    try {
      const other = rewritten(program)
      const isOther = other.modules.some(({ source }, i) => source !== program.modules[i]?.source)
      if (!isOther) return false
      const answer = HERE[peer].answer(other)
      // The engine at 0.9 has other empty objects whatever else the cause is.
      return (
        agree(peer, answer, theirs) ||
        (peer === 'regorus' && sameButEmptyHeads(program, answer, theirs))
      )
    } catch {
      // A module that cannot be parsed.
      return false
    }
  }

  /** Whether both agree as soon as this engine gets one of other programs. */
  isSameAsOneOf(rewritten: (program: DiffProgram) => Iterable<DiffProgram>): boolean {
    try {
      return [...rewritten(this.found.program)].some((other) => this.isSameAs(() => other))
    } catch {
      return false
    }
  }

  /** Whether these are the answers of this engine in its two profiles. */
  isOfProfiles(): boolean {
    const { program, ours, theirs } = this.found
    const answers = [PROFILE_OF.regorus, PROFILE_OF.opa].map((profile) =>
      new Here(profile).answer(program),
    )
    return agree('opa', ours, answers[0]!) && agree('opa', theirs, answers[1]!)
  }

  /** Whether both agree as soon as texts of numbers are here as the program writes these numbers. */
  isSameAsWritten(): boolean {
    const written = writtenNumbers(this.found.program)
    return written.some(([text, ours]) =>
      this.isSameWith(WRITERS, (value) =>
        typeof value === 'string' ? value.replaceAll(ours, text) : value,
      ),
    )
  }

  /** The codes of what the compiler here finds in a program. */
  private faultsOf(program: DiffProgram): string[] {
    return this.errorsOf(program).map(({ code }) => code)
  }

  private errorsOf({ modules }: DiffProgram): RegoError[] {
    const profile = PROFILE_OF[this.found.peer]
    const { errors } = checkModules({
      modules,
      builtins: profileBuiltins(profile),
      dialect: dialectOf(profile),
      maxErrors: 1_000,
    })
    return errors.map(({ error }) => error)
  }
}

/** A message without the names of variables, which every engine chooses, and without details. */
const kindOf = (message: string): string =>
  message.replace(/\n[\s\S]*/, '').replace(/^(undefined ref): .*/, '$1')

/** Built-ins that write numbers. */
const WRITERS = ['json.marshal', 'json.marshal_with_options', 'yaml.marshal', 'sprintf', 'concat']

const NUMBER = /(?<![\w.])-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.])/g

/** The numbers of a program that are not written as this engine writes them, and how it does. */
function writtenNumbers({ modules }: DiffProgram): (readonly [string, string])[] {
  const texts = modules.flatMap(({ source }) => source.match(NUMBER) ?? [])
  return [...new Set(texts)]
    .map((text) => [text, stringify(parseJson(text))] as const)
    .filter(([text, ours]) => text !== ours)
}

/** A program for each rule, which asks for that rule and lacks others of its name. */
function rulesAlone(program: DiffProgram): DiffProgram[] {
  return program.modules.flatMap(({ name, source }, i) => {
    const { package: pkg, rules } = parseModule(new Source(name, source))
    return rules.map((rule) => {
      const nameOf = (each: Rule): string => each.head.ref.head.span.text
      const others = rules.filter((each) => each !== rule && nameOf(each) === nameOf(rule))
      const alone = others
        .map(({ span }) => span)
        .sort((a, b) => b.start - a.start)
        .reduce((text, { start, end }) => text.slice(0, start) + text.slice(end), source)
      const modules = program.modules.map((each, j) => (j === i ? { name, source: alone } : each))
      return { ...program, modules, query: `data.${pkg.path.span.text}.${nameOf(rule)}` }
    })
  })
}
