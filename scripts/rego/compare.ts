import { run } from 'polgate-rego/safety/trial.ts'
import { askOpa, type Documents, type OpaAnswer } from './opa.ts'

/** A policy with different results in this engine and OPA. */
export type Difference = { readonly source: string; readonly ours: string; readonly opa: string }

const LIMITS = { deadlineMs: 5_000, steps: 1e9, memoryBytes: 256 * 1024 * 1024 }

export const DOCUMENTS: Documents = (() => {
  const object = {
    number: 3,
    string: 'abc',
    boolean: true,
    array: [3, 1, 2, 9007199254740991],
    object: { a: 1, b: 2, é: 3 },
  }
  return { input: JSON.stringify(object), data: JSON.stringify({ base: { ...object, number: 5 } }) }
})()

/** Normalizes a document: sorted members, numbers as JavaScript parses them. */
function normal(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normal)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([k, v]) => [k, normal(v)] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function ours(source: string, i: number, { input, data }: Documents): string {
  const report = run({
    modules: [{ name: `p${i}.rego`, source }],
    query: `data.gen.p${i}`,
    inputJson: input,
    dataJson: data,
    strict: false,
    limits: LIMITS,
  })
  if (report.kind === 'error') return report.code
  if (report.kind !== 'value') return `${report.kind}: ${report.message}`
  return JSON.stringify(normal(JSON.parse(report.text === '' ? '{}' : report.text)))
}

const theirs = (answer: Exclude<OpaAnswer, { kind: 'unsure' }>): string =>
  answer.kind === 'error' ? answer.code : JSON.stringify(normal(answer.value))

/** Evaluates policies with both engines. `sources[i]` is the package `gen.p<i>`. */
export function differences(command: string, sources: readonly string[]): Difference[] {
  const answers = askOpa(command, sources, DOCUMENTS)
  return sources.flatMap((source, i) => {
    const answer = answers[i]
    if (answer === undefined || answer.kind === 'unsure') return []
    const mine = ours(source, i, DOCUMENTS)
    const opa = theirs(answer)
    // OPA skips rules that its index excludes and evaluates in another order, so it may find an
    // undefined expression before a conflict.
    if (mine === 'eval_conflict_error' && answer.kind === 'value') return []
    return mine === opa ? [] : [{ source, ours: mine, opa }]
  })
}
