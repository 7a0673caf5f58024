import type { Worker } from 'node:worker_threads'
import { afterAll, describe, expect, it } from 'vitest'
import { createSecretsCheck } from './secretsCheck.ts'

const never = new AbortController().signal
const client = (digit: number) => `0x${String(digit).repeat(40)}` as const
const upload = (schema: object, secrets: object, policyClient = client(1)) => ({
  policyClient,
  schema: JSON.stringify(schema),
  secrets: JSON.stringify(secrets),
})

/** CPU time: several times what the first upload of a new thread takes, also on a busy machine. */
const workMs = 600

/** A pattern with catastrophic backtracking, and a matching input; a different schema per title. */
const backtracking = (title: string) =>
  upload(
    { title, properties: { API_KEY: { pattern: '^(a+)+$' } } },
    { API_KEY: `${'a'.repeat(60)}!` },
  )

/** References that double at every level. */
function doubling() {
  const definitions: Record<string, unknown> = { d0: { minLength: 1 } }
  for (let n = 1; n <= 60; n++) {
    const before = { $ref: `#/definitions/d${n - 1}` }
    definitions[`d${n}`] = { allOf: [before, before] }
  }
  return upload(
    { definitions, properties: { API_KEY: { $ref: '#/definitions/d60' } } },
    { API_KEY: 'abc' },
  )
}

describe('checking secrets in a thread', () => {
  const check = createSecretsCheck({ workMs })
  afterAll(() => check.close())
  const fits = upload({ required: ['A'] }, { A: 'x' })

  it('reports what does not match', async () => {
    await expect(check.check(fits, never)).resolves.toBeUndefined()
    await expect(check.check(upload({ required: ['A'] }, {}), never)).rejects.toMatchObject({
      message: "Secrets upload validation failed: secrets must have required property 'A'",
      code: -32620,
    })
  })

  it.each([
    ['a pattern with catastrophic backtracking', backtracking('first'), ': its pattern ^(a+)+$'],
    ['references that double at every level', doubling(), ''],
  ])('ends the thread for %s, while the main thread continues', async (_, hostile, named) => {
    let ticks = 0
    const ticking = setInterval(() => ticks++, 10)
    const message = `Secrets upload validation failed: the secrets schema takes too long${named}`
    await expect(check.check(hostile, never)).rejects.toMatchObject({ message })
    clearInterval(ticking)
    // About sixty on an idle machine; none if the event loop is blocked.
    expect(ticks).toBeGreaterThan(5)
    await expect(check.check(fits, never)).resolves.toBeUndefined()
  })

  it('isolates uploads from crashes caused by another client', async () => {
    const hostile = [{ $async: true }, { allOf: [{ $ref: '#' }] }, { $ref: 'constructor' }]
    const outcomes = hostile.flatMap((schema) => [
      check.check(upload(schema, {}), new AbortController().signal).then(
        () => 'fits',
        () => 'refused',
      ),
      check.check({ ...fits, policyClient: client(2) }, never).then(() => 'fits'),
    ])
    expect(await Promise.all(outcomes)).toEqual(hostile.flatMap(() => ['refused', 'fits']))
  })

  it('alternates between clients', async () => {
    const order: string[] = []
    const done = (name: string) => () => void order.push(name)
    const hostile = [1, 2].map((n) =>
      check.check(backtracking(`fair ${n}`), never).catch(done(`hostile ${n}`)),
    )
    const other = check.check({ ...fits, policyClient: client(2) }, never).then(done('other'))
    await Promise.all([...hostile, other])
    expect(order).toEqual(['hostile 1', 'other', 'hostile 2'])
  })

  it('is not blocked by a client that repeats a slow schema', async () => {
    const refused = async (times: number) => {
      const begin = performance.now()
      for (let time = 0; time < times; time++) {
        await expect(check.check(backtracking('flood'), never)).rejects.toThrow('takes too long')
      }
      return performance.now() - begin
    }
    const once = await refused(1)
    // One timeout in total, not ten.
    expect(await refused(10)).toBeLessThan(once)
  })

  it('leaves no thread behind after ending one', async () => {
    const started: Worker[] = []
    const onStart = (worker: Worker) => void started.push(worker)
    process.on('worker', onStart)
    const own = createSecretsCheck({ workMs })
    await expect(own.check(backtracking('left behind'), never)).rejects.toThrow('takes too long')
    for (let time = 0; time < 3; time++) {
      await own.check(fits, never)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await own.close()
    process.off('worker', onStart)
    expect(started).toHaveLength(2)
    expect(started.map(({ threadId }) => threadId)).toEqual([-1, -1])
  })

  it('does not start aborted checks', async () => {
    const caller = new AbortController()
    const first = check.check(backtracking('aborted'), never).catch(() => {})
    const second = check.check(fits, caller.signal)
    caller.abort(new Error('aborted'))
    await expect(second).rejects.toThrow('aborted')
    await first
  })

  it('bounds the queue', async () => {
    await check.check(fits, new AbortController().signal)
    const uploads = Array.from({ length: 136 }, () =>
      check.check(fits, new AbortController().signal),
    )
    const outcomes = await Promise.allSettled(uploads)
    const refused = outcomes.filter(
      (outcome) =>
        outcome.status === 'rejected' && /^operator busy/.test((outcome.reason as Error).message),
    )
    expect(refused).toHaveLength(7)
    expect(refused[0]).toMatchObject({ reason: { message: /^operator busy/, retryable: true } })
  })
})

it('rejects after close', async () => {
  const check = createSecretsCheck()
  await check.close()
  await expect(check.check(upload({}, {}), never)).rejects.toThrow('the operator is closed')
})
