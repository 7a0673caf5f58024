import type { Builtin } from 'polgate-rego/builtins/builtin.ts'
import { coreBuiltins } from 'polgate-rego/builtins/core.ts'
import { serviceExtensions } from 'polgate-rego/builtins/extensions.ts'
import { belongs } from 'polgate-rego/builtins/profiles.ts'
import { checkModules } from 'polgate-rego/check/checkModules.ts'
import {
  createEngine,
  type EngineOptions,
  type EvaluateOptions,
  type Evaluation,
} from 'polgate-rego/engine.ts'
import { LimitError, RegoError } from 'polgate-rego/errors.ts'
import type { Limits } from 'polgate-rego/evaluate/run.ts'
import { loadBuiltins } from 'polgate-rego/groups/load.ts'
import { Coverage } from 'polgate-rego/report/coverage.ts'
import { Explainer, type Failure, type RuleExplanation } from 'polgate-rego/report/explain.ts'
import { Profile } from 'polgate-rego/report/profile.ts'
import { stringify } from 'polgate-rego/values/json.ts'
import { RegoObject } from 'polgate-rego/values/object.ts'
import { parseJson } from 'polgate-rego/values/parseJson.ts'
import { isObject, isSet, type Value } from 'polgate-rego/values/value.ts'
import {
  type Diagnostic,
  type Editor,
  outcomeOf,
  type PlaygroundAnswer,
  type PlaygroundRequest,
  type TracedFailure,
  type TracedRule,
} from './evaluation.ts'
import { paramsProblem } from './paramsProblem.ts'
import { tracersOf } from './tracers.ts'

/** Those of an operator; its deadline is 2 s of CPU time. */
const operatorLimits: Partial<Limits> = {
  steps: 50_000_000,
  memoryBytes: 256 * 1024 * 1024,
  deadlineMs: 2_000,
}
const name = 'policy.rego'
const mostLines = 100
/** Longest value of the trace, characters. */
const longestValue = 500

const failed = (...diagnostics: readonly Diagnostic[]): PlaygroundAnswer => ({
  ...{ decision: undefined, diagnostics, profile: [], trace: [], milliseconds: 0 },
})

/**
 * Evaluates a policy with the built-ins, the dialect and the limits of the service, and explains the
 * decision. Never throws for a policy or a document: what is wrong is a diagnostic, and then there is
 * no decision.
 */
export async function evaluatePolicy(
  request: PlaygroundRequest,
  limits: Partial<Limits> = operatorLimits,
): Promise<PlaygroundAnswer> {
  const { source, entrypoint, regoNamespace } = request
  const modules = [{ name, source }]
  const builtins = await serviceBuiltins(source, regoNamespace)
  const { errors } = checkModules({ modules, builtins })
  if (errors.length > 0) return failed(...errors.map(({ error, end }) => diagnosticOf(error, end)))
  const documents = documentsOf(request)
  if ('editor' in documents) return failed(documents)
  const unfit = paramsProblem(request.params, request.paramsSchema)
  if (unfit !== undefined) return failed({ editor: 'params', message: unfit })

  const seed = await seedOf(request)
  const nowNs = () => BigInt(request.now) * 1_000_000n
  const options: EngineOptions = { modules, builtins, limits }
  const given: EvaluateOptions = { ...documents, nowNs, seed: () => seed }
  const path = entrypoint.replace(/^data\./, '')
  const deny = `${path.slice(0, path.lastIndexOf('.'))}.deny`
  try {
    const engine = createEngine(options)
    const begin = performance.now()
    const decision = decisionOf(engine.begin(given), path, engine.hasRule(deny) ? deny : undefined)
    const milliseconds = performance.now() - begin
    const isDecided = typeof decision !== 'string'
    return {
      decision: isDecided ? decision : undefined,
      diagnostics: isDecided ? [] : [{ editor: 'source', message: decision }],
      ...reported(options, given, path, deny),
      milliseconds,
    }
  } catch (error) {
    if (!(error instanceof RegoError)) throw error
    const answer = failed(diagnosticOf(error, undefined))
    // With tracing it would take even longer.
    if (error instanceof LimitError) return answer
    return { ...answer, ...reported(options, given, path, deny) }
  }
}

/** The decision, or why there is none. */
function decisionOf(evaluation: Evaluation, path: string, deny: string | undefined) {
  const value = evaluation.rule(path)
  if (value === undefined) return `undefined rule '${path}': it has no value with this input`
  const json = stringify(value)
  const reasons = deny === undefined ? [] : textsOf(evaluation.rule(deny))
  return { outcome: outcomeOf(json), value: json, reasons }
}

/** What one more evaluation shows, with tracing; also of one that fails, as far as it gets. */
function reported(
  options: EngineOptions,
  given: EvaluateOptions,
  path: string,
  deny: string,
): Pick<PlaygroundAnswer, 'profile' | 'trace' | 'coverage'> {
  const coverage = new Coverage()
  const profile = new Profile(() => performance.now())
  const explainer = new Explainer()
  const tracer = tracersOf([coverage, profile, explainer])
  const engine = createEngine({ ...options, tracer })
  try {
    const evaluation = engine.begin(given)
    evaluation.rule(path)
    if (engine.hasRule(deny)) evaluation.rule(deny)
  } catch (error) {
    if (!(error instanceof RegoError)) throw error
  }
  const { files, percent } = coverage.report(engine.modules)
  const { covered = [], notCovered = [] } = files[0] ?? {}
  return {
    coverage: { definitions: definitionsOf(explainer, path), covered, notCovered, percent },
    profile: profile
      .lines()
      .slice(0, mostLines)
      .map(({ file: _, ...line }) => line),
    trace: [path, deny].flatMap((each) => explainer.explain(`data.${each}`).map(tracedRule)),
  }
}

const definitionsOf = (explainer: Explainer, path: string) =>
  explainer
    .explain(`data.${path.slice(0, path.lastIndexOf('.'))}`)
    .flatMap(({ definitions }) => definitions)
    .map(({ location, held, failures }) => ({
      ...{ row: location.row, held },
      failures: failures.map((each) => ({ row: each.location.row })),
    }))

const tracedRule = ({ name: rule, isDefault, definitions }: RuleExplanation): TracedRule => ({
  name: rule,
  isDefault,
  definitions: definitions.map(({ text, location, held, failures }) => ({
    ...{ text, row: location.row, held },
    failures: failures.map(tracedFailure),
  })),
})

const tracedFailure = ({ text, location, count, values, because }: Failure): TracedFailure => ({
  ...{ text, row: location.row, count },
  values: values.map(({ text: part, value }) => ({
    text: part,
    value: value === undefined ? 'undefined' : stringify(value).slice(0, longestValue),
  })),
  because: because.map(tracedRule),
})

/** The built-ins of the service that the source mentions: those of other profiles do not compile there. */
async function serviceBuiltins(
  source: string,
  namespace: string,
): Promise<ReadonlyMap<string, Builtin>> {
  const groups = await loadBuiltins([source])
  const found = [coreBuiltins, ...groups].flat().filter((each) => belongs('service', each))
  return new Map([...found, ...serviceExtensions(namespace)].map((each) => [each.name, each]))
}

function documentsOf(
  request: PlaygroundRequest,
): { readonly inputJson: string; readonly data: RegoObject } | Diagnostic {
  const input = parsed('input', request.input)
  if ('editor' in input) return input
  const params = parsed('params', request.params)
  if ('editor' in params) return params
  const wasm = new RegoObject()
  for (const text of request.data) {
    const output = parsed('data', text)
    if ('editor' in output) return output
    if (!isObject(output.value))
      return { editor: 'data', message: 'the output of an oracle is a JSON object' }
    output.value.forEach((key, member) => {
      wasm.set(key, member)
    })
  }
  const data = new RegoObject()
  data.set('params', params.value)
  data.set('wasm', wasm)
  return { inputJson: request.input, data }
}

function parsed(editor: Editor, text: string): { readonly value: Value } | Diagnostic {
  try {
    return { value: parseJson(text, { written: true }) }
  } catch (error) {
    return { editor, message: (error as Error).message }
  }
}

/**
 * The same as that of an operator, so that random values are equal: its input is without white space
 * between the values.
 */
async function seedOf({ now, input }: PlaygroundRequest): Promise<Uint8Array> {
  const bytes = new TextEncoder().encode(`${now} ${compact(input)}`)
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)).subarray(0, 16)
}

const compact = (json: string): string => json.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1')

/** The strings of a set or an array, sorted; other kinds are ignored. */
function textsOf(value: Value | undefined): string[] {
  if (value === undefined) return []
  const items = Array.isArray(value) ? value : isSet(value) ? value.values() : []
  return [...items].filter((item): item is string => typeof item === 'string').sort()
}

function diagnosticOf(
  { code, message, location }: RegoError,
  end: { readonly row: number; readonly col: number } | undefined,
): Diagnostic {
  const at = location === undefined ? {} : { row: location.row, col: location.col }
  const until = end === undefined ? {} : { endRow: end.row, endCol: end.col }
  return { editor: 'source', message: `${code}: ${message}`, ...at, ...until }
}
