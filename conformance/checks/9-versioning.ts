import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { expectMatch, expectObject, expectThat } from '../core/expect.ts'
import { observed } from '../kit/assertions/observed.ts'
import { methodTable } from '../kit/scenarios/methodTable.ts'
import { expectPublicKey, failureOf, publicKey, resultOf } from '../kit/scenarios/requests.ts'

/** Section 9: what a gateway publishes about itself, if anything (decision E11). */
const webhookMethods = ['registerWebhook', 'unregisterWebhook']

/** The document, or undefined if the gateway serves none. */
async function discover(t: CheckContext) {
  expectPublicKey(await publicKey(t))
  const answer = await t.gateway.send({
    body: JSON.stringify({ jsonrpc: '2.0', method: 'rpc.discover', params: {}, id: 'discover' }),
    key: 'read',
  })
  expectThat(answer.status < 500, 'the HTTP status', 'below 500', answer.status)
  const failure = failureOf(answer)
  observed(t, 'rpc-discover', 'rpc.discover', failure ?? 'served')
  if (failure !== undefined) return undefined
  const document = resultOf(answer)
  expectObject(document, 'the document')
  return document
}

export const versioning: readonly Check[] = [
  {
    id: 'rpc.discover.observed.version',
    title: 'observed: the published version of the interface',
    clauses: ['9-07'],
    level: 'may',
    needs: ['key:read'],
    run: async (t) => {
      const document = await discover(t)
      if (document === undefined) return
      expectMatch(document.openrpc, /^1\.\d+\.\d+$/, 'openrpc')
      expectObject(document.info, 'info')
      expectMatch(document.info.version, /\S/, 'info.version')
      t.observe(`the interface is ${document.info.title} ${document.info.version}`)
    },
  },
  {
    id: 'rpc.discover.observed.methods',
    title: 'observed: the published methods, with their params and results',
    clauses: ['9-08'],
    level: 'may',
    needs: ['key:read'],
    run: async (t) => {
      const document = await discover(t)
      if (document === undefined) return
      const { methods } = document
      expectThat(Array.isArray(methods), 'methods', 'an array', methods)
      for (const method of methods) {
        expectObject(method, 'a method')
        expectMatch(method.name, /^\S+$/, 'the name of a method')
        expectThat(Array.isArray(method.params), `params of ${method.name}`, 'an array', method)
        expectObject(method.result, `result of ${method.name}`)
      }
      const names = methods.map((method) => String((method as { name: unknown }).name))
      const ours = [...methodTable.map(({ subject }) => subject.method), ...webhookMethods]
      const missing = ours.map(t.gateway.method).filter((name) => !names.includes(name))
      observed(t, 'missing-methods', 'methods of section 4 that are not listed', missing)
      t.observe(`${names.length} methods are listed`)
    },
  },
]
