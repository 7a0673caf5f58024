import { expect, it } from 'vitest'
import type { Operator } from '../operators/operator.ts'
import { operatorUnreachable, regoFailed } from '../operators/operatorErrors.ts'
import { roundRobin } from './pickOperator.ts'

const operators = [0, 1, 2].map((at) => ({ id: `0x0${at}` }) as unknown as Operator)
const never = new AbortController().signal
const hang = (signal: AbortSignal) =>
  new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  )

it('is round-robin', async () => {
  const ask = roundRobin({ operators, clock: () => 0 })({ signal: never })
  const asked: number[] = []
  for (let times = 0; times < 6; times++) {
    asked.push(await ask(async (operator) => operators.indexOf(operator)))
  }
  expect(asked).toEqual([0, 1, 2, 0, 1, 2])
})

it('falls back to another operator when one does not answer, and deprioritizes that one for a while', async () => {
  let now = 0
  const ask = roundRobin({ operators, clock: () => now, attemptMs: 20 })({ signal: never })
  const asked: number[] = []
  const call = async (operator: Operator, signal: AbortSignal) => {
    const at = operators.indexOf(operator)
    asked.push(at)
    return at === 0 ? await hang(signal) : at
  }
  expect(await ask(call)).toBe(1)
  expect(asked).toEqual([0, 1])
  for (let times = 0; times < 5; times++) await ask(call)
  expect(asked.filter((at) => at === 0)).toHaveLength(1)
  now += 31_000
  for (let times = 0; times < 3; times++) await ask(call)
  expect(asked.filter((at) => at === 0)).toHaveLength(2)
})

it('is unavailable when no operator is reachable, eligible or answering', async () => {
  const turns = roundRobin({ operators, clock: () => 0, attemptMs: 10 })
  const unavailable = 'No operators available'
  const refused = () => Promise.reject(operatorUnreachable('connection refused'))
  await expect(turns({ signal: never })(refused)).rejects.toThrow(unavailable)
  await expect(turns({ signal: never })((_, signal) => hang(signal))).rejects.toThrow(unavailable)
  const nobody = turns({ signal: never, among: () => false })
  await expect(nobody(async () => 1)).rejects.toThrow(unavailable)
})

it('passes on operator errors and the reason of its signal', async () => {
  const turns = roundRobin({ operators, clock: () => 0 })
  const failing = turns({ signal: never })(() => Promise.reject(regoFailed('x')))
  await expect(failing).rejects.toThrow('Rego evaluation failed: x')
  const caller = new AbortController()
  const waiting = turns({ signal: caller.signal })((_, signal) => hang(signal))
  caller.abort(new Error('too late'))
  await expect(waiting).rejects.toThrow('too late')
})
