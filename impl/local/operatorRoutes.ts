import { Value } from '@sinclair/typebox/value'
import type { Context, Hono } from 'hono'
import { maxDelayMs, OperatorFault } from 'polgate-protocol/control/operators.ts'
import {
  type OperatorParts,
  operatorReports,
  quorumReport,
  withoutFaults,
} from './operatorReports.ts'
import type { WrongKeys } from './wrongKeys.ts'

export type OperatorRouteParts = OperatorParts & {
  /** Lets operators in this process sign with a key that is not registered. */
  readonly wrongKeys?: Pick<WrongKeys, 'set'> | undefined
}

const faultForm = `a fault is {kind}, none, delay, lie-data, lie-decision or refuse; delay with delayMs from 1 to ${maxDelayMs}`

/** Routes that show the operators of a stack, stop and start them, and give them faults. */
export function addOperatorRoutes(app: Hono, parts: OperatorRouteParts): void {
  const reports = async (c: Context) => c.json(await operatorReports(parts))
  const operatorOf = (c: Context) => {
    const index = c.req.param('index') ?? ''
    return /^\d{1,4}$/.test(index) ? parts.operators[Number(index)] : undefined
  }
  const unknown = (c: Context) =>
    c.json({ error: `there are operators 0 to ${parts.operators.length - 1}` }, 404)

  app.get('/operators', reports)

  app.get('/operators/quorum', async (c) => {
    const given = c.req.query('threshold')
    const threshold = given === undefined ? undefined : Number(given)
    if (threshold !== undefined && !(Number.isInteger(threshold) && isPercentage(threshold)))
      return c.json({ error: 'threshold is a whole number from 0 to 100' }, 422)
    try {
      const report = await quorumReport(parts, threshold)
      if (report === undefined) return c.json({ error: 'this stack knows no registry' }, 404)
      return c.json(report)
    } catch {
      const error = 'the stakes cannot be read: the node does not answer'
      return c.json({ error, hint: 'Start the chain again, or wait until it responds.' }, 503)
    }
  })

  app.post('/operators/:index/:verb{start|stop}', async (c) => {
    const operator = operatorOf(c)
    if (operator === undefined) return unknown(c)
    if (c.req.param('verb') === 'stop') await operator.stop()
    else await operator.start()
    return await reports(c)
  })

  app.post('/operators/:index/fault', async (c) => {
    const operator = operatorOf(c)
    if (operator === undefined) return unknown(c)
    const why = withoutFaults(parts)
    if (why !== undefined || parts.faults === undefined)
      return c.json(
        {
          error: why,
          hint: 'Start the stack without --operator-processes.',
        },
        422,
      )
    const fault: unknown = await c.req.json().catch(() => undefined)
    if (!Value.Check(OperatorFault, fault)) return c.json({ error: faultForm }, 422)
    parts.faults.set(operator.address, fault)
    return await reports(c)
  })

  app.post('/operators/:index/key/:which{wrong|own}', (c) => {
    const operator = operatorOf(c)
    if (operator === undefined || parts.wrongKeys === undefined)
      return c.json({ error: 'no such operator in this process' }, 404)
    parts.wrongKeys.set(operator.address, c.req.param('which') === 'wrong')
    return c.json({ ok: true })
  })
}

const isPercentage = (value: number): boolean => value >= 0 && value <= 100
