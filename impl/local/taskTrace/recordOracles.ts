import type { OperatorTools } from 'polgate-service/operators/operatorParts.ts'
import type { PolicyEvaluation } from 'polgate-service/operators/policyEvaluator.ts'
import type { HostFetch } from 'polgate-service/oracles/hostFetch.ts'
import type { Recording } from './recording.ts'
import { secretsHidden, shownRequest, shownResponse } from './shownExchange.ts'
import { type RecordedEvaluation, textOf } from './traces.ts'

const longestInput = 4_096
const mostSources = 64

/** What the operators of this process do for a task: components, oracle runs, evaluations. */
export function recordedTools(recording: Recording, tools: OperatorTools): OperatorTools {
  const { oracles, evaluator } = tools
  const interned = internedTexts()
  return {
    ...tools,
    oracles: {
      ...oracles,
      load: (component, options) =>
        recording.span(
          { kind: 'component', name: 'load oracle', facts: { component: options.cid } },
          () => oracles.load(component, options),
        ),
      run: (run) =>
        recording.scope() === undefined
          ? oracles.run(run)
          : recording.span(
              {
                kind: 'oracle',
                name: 'run oracle',
                facts: { component: run.cid, input: run.input.slice(0, longestInput) },
              },
              async (span) => {
                const result = await oracles.run(run)
                const { httpCalls, stages } = result.stats
                if (span !== undefined)
                  span.facts = {
                    ...span.facts,
                    'HTTP requests': httpCalls,
                    'waiting for a thread, ms': Math.round(stages.waitMs),
                    'computing, ms': Math.round(stages.guestMs),
                  }
                return result
              },
              { secrets: secretsHidden(run.secrets) },
            ),
    },
    evaluator: {
      ...evaluator,
      evaluate(evaluation, signal) {
        const scope = recording.scope()
        if (scope === undefined) return evaluator.evaluate(evaluation, signal)
        const { trace, operator } = scope
        const isPrivate = evaluation.privateData !== undefined
        const entry = entryOf(trace.evaluations, { evaluation, isPrivate })
        if (entry.isNew) {
          const { source, input, params, data } = evaluation
          const own = { ...evaluation, source: interned(source), privateData: undefined }
          const size = [input, params, ...data].reduce((sum, { length }) => sum + length, 0)
          if (recording.traces.keep(trace, size)) {
            entry.recorded = { evaluation: own, isPrivate, operators: [] }
            trace.evaluations.push(entry.recorded)
          }
        }
        const { recorded } = entry
        if (operator !== undefined) recorded?.operators.push(operator)
        return recording.span({ kind: 'rego', name: 'evaluate policy' }, async () => {
          try {
            const outcome = await evaluator.evaluate(evaluation, signal)
            // Reasons may contain private data, as for the operator, which reports none.
            if (recorded !== undefined)
              recorded.outcome = isPrivate ? { ...outcome, reasons: [] } : outcome
            return outcome
          } catch (error) {
            if (recorded !== undefined && !signal.aborted) recorded.error = textOf(error)
            throw error
          }
        })
      },
    },
  }
}

/** The HTTP requests of one oracle run. Called at its begin, in its scope. */
export function recordedFetch(recording: Recording, fetch: HostFetch): HostFetch {
  const scope = recording.scope()
  const secrets = scope?.secrets
  if (scope === undefined || secrets === undefined) return fetch
  // Messages of the run's thread arrive outside of its scope.
  return (request, signal) =>
    recording.within(scope, async () => {
      const asked = shownRequest(request, secrets)
      const host = URL.canParse(asked.url) ? new URL(asked.url).host : ''
      const name = `${asked.method} ${host}`.trim()
      return await recording.span({ kind: 'http', name }, async (span) => {
        const isKept = recording.traces.keep(scope.trace, JSON.stringify(asked).length)
        const kept = isKept ? asked : { ...asked, requestBody: full(asked.requestBody.size) }
        if (span !== undefined) span.exchange = { ...kept, response: null }
        const response = await fetch(request, signal)
        const answer = shownResponse(response, secrets)
        const fits = recording.traces.keep(scope.trace, JSON.stringify(answer).length)
        if (span !== undefined)
          span.exchange = {
            ...kept,
            response: fits ? answer : { ...answer, headers: [], body: full(answer.body.size) },
          }
        return response
      })
    })
}

const full = (size: number) => ({ text: null, size, note: 'the trace of the task is full' })

function entryOf(
  known: readonly RecordedEvaluation[],
  given: Pick<RecordedEvaluation, 'evaluation' | 'isPrivate'>,
): { readonly isNew: boolean; recorded: RecordedEvaluation | undefined } {
  const recorded = known.find(
    ({ evaluation, isPrivate }) =>
      isPrivate === given.isPrivate && isSame(evaluation, given.evaluation),
  )
  return { isNew: recorded === undefined, recorded }
}

const isSame = (a: PolicyEvaluation, b: PolicyEvaluation): boolean =>
  a.now === b.now &&
  a.entrypoint === b.entrypoint &&
  a.input === b.input &&
  a.params === b.params &&
  a.source === b.source &&
  a.data.length === b.data.length &&
  a.data.every((text, at) => text === b.data[at])

/** One copy of equal texts: tasks of one client have the same policy. */
function internedTexts(): (text: string) => string {
  const known = new Map<string, string>()
  return (text) => {
    const found = known.get(text) ?? text
    known.delete(text)
    known.set(text, found)
    for (const old of known.keys()) {
      if (known.size <= mostSources) break
      known.delete(old)
    }
    return found
  }
}
