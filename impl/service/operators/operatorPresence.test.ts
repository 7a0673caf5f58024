import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { freePort } from 'polgate-lib/http/freePort.ts'
import { afterEach, expect, it } from 'vitest'
import { operatorConnection } from './operatorConnection.ts'
import { serveOperator } from './operatorServer.ts'
import { remoteOperator } from './remoteOperator.ts'
import { never, operatorThat, quick, sharedToken } from './testing/echoOperator.ts'

const cleanup = createCleanupStack()
afterEach(cleanup.close)

const inner = operatorThat({ collectData: async () => ({ outputs: ['{}'], timings: {} }) })

it('logs an outage of an operator once, and detects its return without a call', async () => {
  const port = await freePort()
  const serve = async () => {
    const server = await serveOperator({
      ...{ operator: inner, token: sharedToken, clock: Date.now },
      port,
    })
    cleanup.defer(() => server.close())
    return server
  }
  const first = await serve()
  const { address, id } = inner
  const lines: string[] = []
  const connection = operatorConnection({
    ...{ url: first.url, token: sharedToken, address, id, clock: Date.now },
    bounds: { probeEveryMs: 20 },
    log: {
      warn: (_, message) => void lines.push(message),
      info: (_, message) => void lines.push(message),
    },
  })
  cleanup.defer(() => connection.close())
  const operator = remoteOperator({ connection, address, id })
  await operator.collectData(quick, never)
  expect(connection.problem()).toBeUndefined()
  await first.close()
  for (let at = 0; at < 2; at += 1)
    await expect(operator.collectData(quick, never)).rejects.toThrow('connection refused')
  expect(connection.problem()).toMatch(
    new RegExp(`^operator ${address} has not answered since .+Z: operator unreachable: `),
  )
  expect(lines).toEqual(['operator does not answer'])
  await serve()
  await expect.poll(() => connection.problem()).toBeUndefined()
  expect(lines).toEqual(['operator does not answer', 'operator answers again'])
  expect((await operator.collectData(quick, never)).outputs).toHaveLength(1)
})
