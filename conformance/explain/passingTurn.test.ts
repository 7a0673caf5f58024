import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'
import type { Evidence, Phase } from '../core/events.ts'
import { passingTurn } from './passingTurn.ts'

const exchange = (at: number, method: string, phase?: Phase): Evidence => ({
  kind: 'exchange',
  at,
  request: {
    method: 'POST',
    url: 'http://x.invalid/rpc',
    headers: {},
    body: method,
    key: undefined,
  },
  status: 200,
  headers: {},
  body: `{"of":"${method}"}`,
  ms: 1,
  ...(phase === undefined ? {} : { phase }),
})
const sentOf = (...evidence: readonly Evidence[]) => passingTurn({ evidence })?.sent

test('the exchange shown is the last one that is neither twin nor cleanup', () => {
  expect(
    sentOf(
      exchange(0, 'registerWebhook'),
      exchange(1, 'createTask'),
      exchange(2, 'unregisterWebhook', 'cleanup'),
    ),
  ).toBe('POST /rpc createTask')
  expect(sentOf(exchange(0, 'createTask'), exchange(1, 'sendTask', 'twin'))).toBe(
    'POST /rpc createTask',
  )
})

test('the exchange whose answer was judged last is shown, not what was read after it', () => {
  const judged = { ...exchange(1, 'createTask'), subject: true as const }
  const setup = exchange(0, 'registerWebhook')
  expect(sentOf(setup, judged, exchange(2, 'getStatus'))).toBe('POST /rpc createTask')
  expect(sentOf(setup, judged, exchange(2, 'getStatus', 'twin'))).toBe('POST /rpc createTask')
})

test('a request without an answer is shown with the reason', () => {
  const {
    kind: _,
    status: __,
    headers: ___,
    body: ____,
    ...sent
  } = exchange(1, 'createTask') as {
    kind: 'exchange'
  } & Extract<Evidence, { kind: 'exchange' }>
  const lost: Evidence = { ...sent, kind: 'unanswered', why: 'no answer in time', accepted: true }
  expect(passingTurn({ evidence: [lost] })).toEqual({
    sent: 'POST /rpc createTask',
    received: 'no answer: no answer in time',
  })
})

test('a check that ends with unregistering a webhook shows that', () => {
  expect(sentOf(exchange(0, 'registerWebhook'), exchange(1, 'unregisterWebhook'))).toBe(
    'POST /rpc unregisterWebhook',
  )
})

test('a twin is shown where there is nothing else, cleanup never', () => {
  expect(sentOf(exchange(0, 'createTask', 'twin'), exchange(1, 'x', 'cleanup'))).toBe(
    'POST /rpc createTask',
  )
  expect(sentOf(exchange(0, 'x', 'cleanup'))).toBeUndefined()
})

test('a delivery is shown although the webhook is unregistered after it', () => {
  const delivery: Evidence = {
    kind: 'webhook',
    at: 2,
    path: '/box',
    headers: {},
    body: '{"task_id":"0x1"}',
    answered: 503,
  }
  const last = exchange(3, 'unregisterWebhook', 'cleanup')
  expect(passingTurn({ evidence: [exchange(1, 'createTask'), delivery, last] })).toEqual({
    sent: 'POST {"task_id":"0x1"}',
    received: '503',
  })
})

const suite = fileURLToPath(new URL('..', import.meta.url))
const sources = readdirSync(suite, { recursive: true, encoding: 'utf8' }).filter(
  (path) => /(?<!\.test)\.ts$/.test(path) && !/(^|\/)(self-test|node_modules)\//.test(path),
)

/** Requests to the gateway in a `finally` block that do not run in `t.cleanup`. */
function unmarkedRequests(path: string): readonly string[] {
  const text = readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
  if (!text.includes('finally')) return []
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const visit = (node: ts.Node, inFinally: boolean): void => {
    if (ts.isTryStatement(node)) {
      visit(node.tryBlock, inFinally)
      if (node.catchClause !== undefined) visit(node.catchClause, inFinally)
      if (node.finallyBlock !== undefined) visit(node.finallyBlock, true)
      return
    }
    if (ts.isCallExpression(node) && inFinally) {
      const callee = node.expression.getText(file)
      if (callee === 't.cleanup') return
      if (/^(un)?registerWebhook$|\bt\.gateway\.(call|send)$/.test(callee))
        found.push(`${path}: ${node.getText(file)}`)
    }
    ts.forEachChild(node, (child) => visit(child, inFinally))
  }
  visit(file, false)
  return found
}

test('checks send what they only clean up with in t.cleanup', () => {
  expect(sources.length).toBeGreaterThan(200)
  expect(sources.flatMap(unmarkedRequests)).toEqual([])
})
