import { load } from './service/load.ts'
import { createTaskBodies } from './service/requests.ts'
const stack = JSON.parse(await (await import('node:fs/promises')).readFile('/tmp/stack.json','utf8'))
const target = { url: stack.gatewayUrl, path: '/rpc', key: stack.apiKeys.rpc }
const [,, fixture, n, par] = process.argv
await load(target, createTaskBodies(stack, fixture!, 30), 8)
const r = await load(target, createTaskBodies(stack, fixture!, Number(n)), Number(par))
console.log(fixture, r.perSecond.toFixed(1), r.p50.toFixed(1), r.p99.toFixed(1), r.failures, r.firstFailure)
