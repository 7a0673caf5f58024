import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { expectThat, isObject } from '../core/expect.ts'
import { observed } from '../kit/assertions/observed.ts'
import { methodTable } from '../kit/scenarios/methodTable.ts'
import { expectPublicKey, failureOf, publicKey, resultOf } from '../kit/scenarios/requests.ts'

/** Section 9: what a gateway publishes about itself, if anything (decision E11). */
const webhookMethods = ['registerWebhook', 'unregisterWebhook']

/** The document, or undefined if the gateway serves none, or none of OpenRPC. */
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
  const { openrpc, info, methods } = isObject(document) ? document : {}
  const known = isObject(info) && Array.isArray(methods)
  observed(t, 'form', 'the form of the document', known ? `OpenRPC ${openrpc}` : 'another')
  return known ? { info, methods: methods.filter(isObject) } : undefined
}

export const versioning: readonly Check[] = [
  {
    // 9-07: The version that the RPC interface reports.
    id: 'rpc.discover.observed.version',
    title: 'observed: the published version of the interface',
    clauses: ['9-07'],
    level: 'may',
    needs: ['key:read'],
    run: async (t) => {
      const document = await discover(t)
      if (document === undefined) return
      const { title, version } = document.info
      observed(t, 'version', 'the version of the interface', version)
      t.observe(`the interface is ${title} ${version}`)
    },
  },
  {
    // 9-08: Which methods a self-description lists.
    id: 'rpc.discover.observed.methods',
    title: 'observed: the published methods, with their params and results',
    clauses: ['9-08'],
    level: 'may',
    needs: ['key:read'],
    run: async (t) => {
      const document = await discover(t)
      if (document === undefined) return
      const { methods } = document
      const names = methods.map(({ name }) => String(name))
      const bare = methods.filter((each) => !Array.isArray(each.params) || !isObject(each.result))
      const bareNames = bare.map(({ name }) => name)
      observed(t, 'bare-methods', 'methods without params or a result', bareNames)
      const ours = [...methodTable.map(({ subject }) => subject.method), ...webhookMethods]
      const missing = ours.map(t.gateway.method).filter((name) => !names.includes(name))
      observed(t, 'missing-methods', 'methods of section 4 that are not listed', missing)
      t.observe(`${names.length} methods are listed`)
    },
  },
]
