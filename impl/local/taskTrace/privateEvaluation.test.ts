import type { OperatorTools } from 'polgate-service/operators/operatorParts.ts'
import type { PolicyEvaluation } from 'polgate-service/operators/policyEvaluator.ts'
import { expect, test } from 'vitest'
import { createRecording } from './recording.ts'
import { recordedTools } from './recordOracles.ts'
import { createTraces } from './traces.ts'

test('a trace keeps no private data of an evaluation, and says that there was some', async () => {
  const traces = createTraces()
  const recording = createRecording(traces)
  const given: (Uint8Array | undefined)[] = []
  const { evaluator } = recordedTools(recording, {
    oracles: {},
    evaluator: {
      evaluate: async ({ privateData }: PolicyEvaluation) => {
        given.push(privateData)
        return { result: 'true', reasons: ['secret74219'], wasm: '{}' }
      },
    },
  } as unknown as OperatorTools)
  const trace = traces.open(0)
  const privateData = new TextEncoder().encode('{"privacy":"secret74219"}')
  const evaluation = {
    ...{
      source: 'package a',
      entrypoint: 'a.allow',
      input: '{}',
      params: '{}',
      paramsSchema: null,
    },
    ...{ data: [], now: 1 },
  }
  const { signal } = new AbortController()
  await recording.within({ trace, parent: null }, async () => {
    expect((await evaluator.evaluate({ ...evaluation, privateData }, signal)).reasons).toHaveLength(
      1,
    )
    await evaluator.evaluate(evaluation, signal)
  })
  expect(given).toEqual([privateData, undefined])
  expect(trace.evaluations.map(({ isPrivate }) => isPrivate)).toEqual([true, false])
  const kept = trace.evaluations.map(({ evaluation: one }) => one)
  expect(kept.map((one) => one.privateData)).toEqual([undefined, undefined])
  // Its reasons may contain some of it.
  expect(trace.evaluations.map(({ outcome }) => outcome?.reasons)).toEqual([[], ['secret74219']])
})
