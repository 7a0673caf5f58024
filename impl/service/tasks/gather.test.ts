import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import { describe, expect, it } from 'vitest'
import type { Operator } from '../operators/operator.ts'
import { type Answers, gather, ofLatest } from './gather.ts'

const stakes = [40, 30, 20, 10]
const operators = stakes.map((_, at) => ({ id: `0x0${at}` }) as unknown as Operator)
const weight = (ids: readonly Bytes32[]) =>
  ids.reduce((sum, id) => sum + stakes[Number(id.slice(2))]!, 0)
const reached = (ids: readonly Bytes32[]) => ids.length > 0 && weight(ids) >= 67
const never = new AbortController().signal
/** Every answer agrees with the others. */
const agreeing = async (answers: Answers<number>) => answers.map(({ operator }) => operator.id)

/**
 * Behaviour of each operator: answers after a delay, fails after a delay, or hangs until aborted.
 */
const play =
  (parts: readonly (number | 'fail' | 'hang')[], aborted: number[] = []) =>
  async (operator: Operator, signal: AbortSignal) => {
    const at = operators.indexOf(operator)
    const part = parts[at]!
    if (part === 'fail') throw new Error(`${at} failed`)
    if (part === 'hang') {
      return await new Promise<number>((_, reject) =>
        signal.addEventListener('abort', () => {
          aborted.push(at)
          reject(signal.reason)
        }),
      )
    }
    await new Promise((resolve) => setTimeout(resolve, part))
    return at
  }
const run = (call: ReturnType<typeof play>, signal = never) =>
  gather({ operators, call, reached, agreeing, graceMs: 30, signal })
const who = (gathered: Awaited<ReturnType<typeof run>>) => ({
  answered: gathered.answers.map(({ answer }) => answer),
  failed: gathered.failures.map(({ operator }) => operators.indexOf(operator)),
})

describe('gather', () => {
  it('waits for all that answer in time', async () => {
    expect(who(await run(play([1, 5, 10, 15])))).toEqual({ answered: [0, 1, 2, 3], failed: [] })
  })

  it('continues without hanging operators once the others suffice', async () => {
    const aborted: number[] = []
    const begin = performance.now()
    expect(who(await run(play([1, 1, 'hang', 'hang'], aborted)))).toEqual({
      answered: [0, 1],
      failed: [],
    })
    expect(performance.now() - begin).toBeLessThan(10_000)
    expect(aborted).toEqual([2, 3])
  })

  it('ends early when the remaining operators cannot suffice', async () => {
    const { answered, failed } = who(await run(play(['fail', 1, 'hang', 1])))
    expect(answered.sort()).toEqual([1, 3])
    expect(failed).toEqual([0])
  })

  it('waits for a slow operator that is needed', async () => {
    expect(who(await run(play([100, 1, 'fail', 'fail']))).answered).toEqual([1, 0])
  })

  it('does not wait the full grace period for operators known to be slow', async () => {
    const notes: (readonly Bytes32[])[] = []
    const operatorLatency = {
      isSlow: (id: Bytes32) => id === operators[3]!.id,
      note: (...told: (readonly Bytes32[])[]) => void notes.push(...told),
    }
    const begin = performance.now()
    const call = play([1, 1, 1, 'hang'])
    const graceMs = 20_000
    const gathered = await gather({
      operators,
      call,
      reached,
      agreeing,
      graceMs,
      operatorLatency,
      signal: never,
    })
    expect(performance.now() - begin).toBeLessThan(graceMs)
    expect(gathered.late).toEqual([operators[3]])
    expect(notes).toEqual([['0x00', '0x01', '0x02'], ['0x03']])
  })

  it('waits the full grace period if a remaining operator is usually in time', async () => {
    const operatorLatency = { isSlow: (id: Bytes32) => id === operators[3]!.id, note() {} }
    const call = play([1, 1, 60, 'hang'])
    const gathered = await gather({
      operators,
      call,
      reached,
      agreeing,
      graceMs: 200,
      operatorLatency,
      signal: never,
    })
    expect(who(gathered).answered).toEqual([0, 1, 2])
  })

  it('waits past the grace period for an operator that the agreeing ones need', async () => {
    const call = play([1, 150, 1, 1])
    // The answer of operator 2 disagrees: 0 and 3 hold 50, and need 1.
    const disagreeing = async (answers: Answers<number>) =>
      (await agreeing(answers)).filter((id) => id !== operators[2]!.id)
    const given = { operators, call, reached, graceMs: 30, signal: never }
    const gathered = await gather({ ...given, agreeing: disagreeing })
    expect(who(gathered).answered).toEqual([0, 2, 3, 1])
    expect(gathered.late).toEqual([])
  })

  it('ends with the grace period if no remaining operator could complete an agreement', async () => {
    const call = play([1, 1, 1, 'hang'])
    // 40 agree; with the remaining 10 they would still be too few.
    const disagreeing = async (answers: Answers<number>) =>
      (await agreeing(answers)).filter((id) => id === operators[0]!.id)
    const given = { operators, call, reached, graceMs: 30, signal: never }
    const gathered = await gather({ ...given, agreeing: disagreeing })
    expect(gathered.late).toEqual([operators[3]])
  })

  it('ends with the grace period if agreement cannot be determined', async () => {
    const unknown = async () => {
      throw new Error('unknown')
    }
    const given = { operators, call: play([1, 1, 1, 'hang']), reached, graceMs: 30, signal: never }
    expect((await gather({ ...given, agreeing: unknown })).late).toEqual([operators[3]])
  })

  it('reports failed and silent operators when its signal aborts', async () => {
    const caller = new AbortController()
    const cut: unknown[] = []
    setTimeout(() => caller.abort(new Error('too late')), 20)
    const gathering = gather({
      operators,
      call: play(['hang', 1, 'fail', 'hang']),
      reached,
      agreeing,
      graceMs: 30,
      signal: caller.signal,
      onCut: (failures, silent) =>
        cut.push(
          failures.map(({ operator }) => operator.id),
          silent.map(({ id }) => id),
        ),
    })
    await expect(gathering).rejects.toThrow('too late')
    expect(cut).toEqual([['0x02'], ['0x00', '0x03']])
  })

  it('rejects with the reason of its signal', async () => {
    const caller = new AbortController()
    setTimeout(() => caller.abort(new Error('too late')), 20)
    await expect(run(play(['hang', 'hang', 'hang', 'hang']), caller.signal)).rejects.toThrow(
      'too late',
    )
  })
})

describe('ofLatest', () => {
  it('works once on the same answers', async () => {
    let times = 0
    const count = ofLatest(async (answers: Answers<number>) => {
      times += 1
      return answers.length
    })
    const answers = operators.map((operator, answer) => ({ operator, answer }))
    expect(await Promise.all([count(answers.slice(1)), count(answers.slice(1))])).toEqual([3, 3])
    expect(await count(answers)).toBe(4)
    expect(times).toBe(2)
  })
})
