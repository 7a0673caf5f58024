import { RawJson, stringifyExact } from 'polgate-protocol/exactJson.ts'
import type { SimulatePolicyResult } from 'polgate-protocol/methods/simulatePolicy.ts'
import type { EvaluationAnswer } from 'polgate-service/operators/operator.ts'
import { denialReasons } from 'polgate-service/tasks/denialReasons.ts'
import { colours } from '../colours.ts'
import { printable, shownMs, stageLines } from './notes.ts'
import type { OracleStages } from './simulatedOracle.ts'

export type PolicyAnswer = {
  readonly result: SimulatePolicyResult
  /** Of the Rego stage; undefined if it was not reached. */
  readonly evaluation: EvaluationAnswer | undefined
}

export type PolicyReportOptions = {
  readonly json: boolean
  readonly packs: readonly { readonly name: string; readonly stages: OracleStages }[]
  /** Milliseconds: reading and building the files, and in total. */
  readonly timings: { readonly read: number; readonly total: number }
  /** Also print every HTTP exchange. */
  readonly more: boolean
}

/** Only `true`, as a boolean or a string, allows (section 7.5, decision T11). */
export function isAllowed({ evaluation_result }: SimulatePolicyResult): boolean {
  const { result } = evaluation_result ?? {}
  const text = result instanceof RawJson ? result.text : JSON.stringify(result)
  return text === 'true' || text === '"true"'
}

/** Prints the result on stdout, as text or as one JSON object. */
export function showPolicy(answer: PolicyAnswer, options: PolicyReportOptions): void {
  if (options.json) console.log(asJson(answer, options))
  else if (answer.result.success) for (const line of lines(answer, options)) console.log(line)
  else showFailure(answer.result)
  if (!options.more) return
  for (const { name, stages } of options.packs) {
    for (const line of stageLines(name, stages)) console.error(line)
  }
}

function asJson({ result, evaluation }: PolicyAnswer, { packs, timings }: PolicyReportOptions) {
  const byPack = packs.map(({ name, stages: { http, ...stages } }) => [name, { ...stages, http }])
  return stringifyExact({
    ...result,
    allow: result.success ? isAllowed(result) : null,
    reasons: evaluation === undefined ? [] : denialReasons(evaluation),
    timings: {
      ...timings,
      oracles: Object.fromEntries(byPack),
      rego: evaluation?.timings.rego ?? null,
    },
  })
}

function lines({ result, evaluation }: PolicyAnswer, options: PolicyReportOptions): string[] {
  const { bold, green, red, dim } = colours(process.stdout)
  const { entrypoint, result: value } = result.evaluation_result!
  const text = value instanceof RawJson ? value.text : JSON.stringify(value)
  const head = isAllowed(result) ? bold(green('ALLOW')) : bold(red('DENY'))
  const reasons = evaluation === undefined ? [] : denialReasons(evaluation)
  return [
    `${head}  ${entrypoint} is ${short(text)}`,
    ...reasons.map((reason) => `  reason  ${short(reason)}`),
    `  params  ${short(stringifyExact(result.evaluation_result!.policy_params_and_data.params))}`,
    `  wasm    ${short(evaluation?.wasm ?? '{}')}`,
    dim(`  time    ${stagesOf(options, evaluation?.timings.rego)}`),
  ]
}

const stagesOf = ({ packs, timings }: PolicyReportOptions, rego: number | undefined): string =>
  [
    `read ${shownMs(timings.read)}`,
    ...packs.map(({ name, stages: { load, run, transpiled, http } }) => {
      const calls = http.length === 1 ? '1 call' : `${http.length} calls`
      return `${name} ${transpiled ? 'transpile' : 'load'} ${shownMs(load)} run ${shownMs(run)} (${calls})`
    }),
    `rego ${shownMs(rego)}`,
    `total ${shownMs(timings.total)}`,
  ].join(', ')

function short(text: string) {
  const line = printable(text).replaceAll('\n', ' ')
  return line.length > 300 ? `${line.slice(0, 300)}...` : line
}

function showFailure({ error, error_details }: SimulatePolicyResult): void {
  const { red } = colours(process.stderr)
  console.error(`${red('error:')} ${printable(error ?? '')}`)
  for (const action of error_details?.suggested_actions ?? []) console.error(`       ${action}`)
}
