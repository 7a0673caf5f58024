import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type LocalStack, startLocalStack } from './localStack.ts'
import { plainIntent, stackClient } from './testing/stackClient.ts'

/** Four operators as processes; three of them hold the quorum (decision T6: 67 %). */

type Line = { readonly msg: string; readonly operator?: string; readonly cause?: string }

const patience = { timeout: 90_000, interval: 200 }
let stack: LocalStack
const lines: Line[] = []

beforeAll(async () => {
  stack = await startLocalStack({
    operatorProcesses: true,
    parts: {
      logger: pino(
        { level: 'info' },
        { write: (line: string) => void lines.push(JSON.parse(line)) },
      ),
    },
  })
})
afterEach(() => {
  lines.length = 0
})
afterAll(() => stack.close())

let value = 70_000
const create = async () => {
  value += 1
  const { result } = await stackClient(stack.description).call('createTask', {
    policy_client: stack.description.clients['allow-list']!.policyClient,
    intent: plainIntent(stack.description, value),
    quorum_threshold_percentage: 50,
  })
  return result!
}

const health = async () => {
  const response = await fetch(`${stack.service.adminUrl}/readyz`)
  return { status: response.status, text: await response.text() }
}
const healthy = () => expect.poll(health, patience).toEqual({ status: 200, text: 'ready\n' })
const logged = (message: string, operators: readonly string[]) =>
  expect
    .poll(
      () =>
        operators.every((address) =>
          lines.some(({ msg, operator }) => msg === message && operator === address),
        ),
      patience,
    )
    .toBe(true)

// The first: what is compiled on first use takes a busy machine long.
it('operators that are all there answer together', () =>
  expect.poll(async () => (await create()).operator_errors, patience).toBeUndefined())

/** Ways in which an operator goes away and comes back. */
const outages = [
  {
    name: 'dies',
    cause: 'connection refused',
    away: (at: number) => stack.operators[at]!.stop(),
    back: (at: number) => stack.operators[at]!.start(),
  },
  {
    name: 'hangs',
    cause: '(no answer within|has not answered for a while)',
    away: (at: number) => void process.kill(stack.operators[at]!.pid!, 'SIGSTOP'),
    back: (at: number) => void process.kill(stack.operators[at]!.pid!, 'SIGCONT'),
  },
] as const

describe.each(outages)('an operator that $name', ({ cause, away, back }) => {
  it('is told of in log and health, while the others answer tasks, until it is back', async () => {
    const { address } = stack.operators[0]!
    await away(0)
    try {
      const result = await create()
      expect(result, JSON.stringify(result)).toMatchObject({ status: 'success' })
      await expect
        .poll(async () => {
          await create()
          return (await health()).text
        }, patience)
        .toMatch(
          new RegExp(
            `^ready\noperator ${address} does not answer since .+: operator unreachable: .*${cause}`,
            'i',
          ),
        )
      await logged('the operator does not answer', [address])
    } finally {
      await back(0)
    }
    await logged('the operator answers again', [address])
    await healthy()
    expect((await create()).operator_errors).toBeUndefined()
  })

  it('is named where without it and others the quorum is not reached, and tasks go on after', async () => {
    const gone = [0, 1, 2]
    const addresses = gone.map((at) => stack.operators[at]!.address)
    for (const at of gone) await away(at)
    try {
      const failed = await create()
      expect(failed).toMatchObject({ status: expect.stringMatching(/^(failed|timeout)$/) })
      expect(
        failed.operator_errors?.map(({ operator_address }) => operator_address.toLowerCase()),
      ).toEqual(expect.arrayContaining(addresses.map((each) => each.toLowerCase())))
      await logged('the operator does not answer', addresses)
    } finally {
      for (const at of gone) await back(at)
    }
    await logged('the operator answers again', addresses)
    await healthy()
    await expect.poll(async () => (await create()).operator_errors, patience).toBeUndefined()
    expect(await create()).toMatchObject({ status: 'success' })
  })
})

// The last: every task that was answered with success is posted, whoever signed it.
it('loses no result of the outages', async () => {
  const unposted = () =>
    stack.service.store.database.query(
      `select id from tasks where status = 'success' and posting is distinct from 'posted'`,
    )
  await expect.poll(unposted, patience).toEqual([])
})
