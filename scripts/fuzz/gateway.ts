/**
 * Sends generated and mutated requests to every method of a real local stack.
 *
 *   npm run fuzz:gateway -- [--requests 10000] [--methods a,b] [--seed N] [--path P]
 *
 * Exits 0 if every response was valid, below HTTP 500, in time and without a secret, no error
 * escaped the gateway and its log contains no secret; 1 otherwise, with a minimized request and the
 * options that reproduce it; 2 for invalid usage.
 */
import { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { pino } from 'pino'
import { fixtureApiKey } from 'polgate-fixtures/host/fixtureHost.ts'
import { optimizeLate } from 'polgate-lib/compile/optimizeLate.mjs'
import { devApiKeys, devEncryptionKeys, devOperators } from 'polgate-local/devKeys.ts'
import { startLocalStack } from 'polgate-local/localStack.ts'
import { type MethodName, methods } from 'polgate-protocol/methods.ts'
import { Pool } from 'undici'
import { samplesOf } from '../service/samples.ts'
import { judge, type Seen } from './gateway/judge.ts'
import { type FuzzedRequest, fuzzedRequest } from './gateway/mutations.ts'

const usage = 'usage: npm run fuzz:gateway -- [--requests N] [--methods a,b] [--seed N] [--path P]'
/** Methods tested concurrently; each sends its requests sequentially. */
const lanes = 8

function readOptions() {
  const { values } = parseArgs({
    options: {
      requests: { type: 'string', default: '10000' },
      methods: { type: 'string' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
      path: { type: 'string' },
    },
  })
  const names = values.methods?.split(',') ?? Object.keys(methods)
  const unknown = names.find((name) => !Object.hasOwn(methods, name))
  if (unknown !== undefined) throw new Error(`unknown method ${unknown}`)
  const [requests, seed] = [Number(values.requests), Number(values.seed)]
  if (!Number.isInteger(requests) || requests < 1 || !Number.isInteger(seed))
    throw new Error('--requests and --seed must be integers')
  return { requests, seed, path: values.path, names: names as MethodName[] }
}

async function run(options: ReturnType<typeof readOptions>): Promise<number> {
  const { requests, seed, path } = options
  console.log(`seed ${seed}, ${requests} requests per method`)
  const problems: string[] = []
  process.on('unhandledRejection', (error) => problems.push(`unhandled rejection: ${error}`))
  process.on('uncaughtException', (error) => problems.push(`uncaught exception: ${error}`))

  const secrets = new Map<string, string>()
  const log = new Writable({
    write(chunk, _, done) {
      const line = String(chunk)
      for (const [name, secret] of secrets)
        if (line.includes(secret)) problems.push(`the log contains ${name}`)
      if (line.includes('"level":50'))
        problems.push(`the log contains an error: ${line.slice(0, 500)}`)
      done()
    },
  })
  const stack = await startLocalStack({ parts: { logger: pino({ level: 'debug' }, log) } })
  try {
    for (const [name, { key }] of Object.entries(devApiKeys)) secrets.set(`the key ${name}`, key)
    for (const [name, key] of Object.entries(devEncryptionKeys))
      secrets.set(`the private key of ${name}`, key.slice(2))
    for (const [at, { blsKey }] of devOperators.entries())
      secrets.set(`the signing key of operator ${at}`, blsKey.slice(2))
    secrets.set('the price oracle’s secret', fixtureApiKey)
    const { description, service } = stack
    const samples = await samplesOf(description, {
      secrets: service.encryptionKeys.secretsPublicKey,
      privacy: service.encryptionKeys.privacyPublicKey,
    })
    const pool = new Pool(description.gatewayUrl, { connections: lanes, bodyTimeout: 120_000 })
    let number = Date.now() * 1_000

    const send = async ({ headers, body }: FuzzedRequest): Promise<Seen> => {
      const begin = performance.now()
      const answer = await pool.request({ path: '/rpc', method: 'POST', headers, body })
      const text = await answer.body.text()
      return { status: answer.statusCode, text, milliseconds: performance.now() - begin }
    }

    /** Statuses and error codes with their counts, to notice a run with refusals only. */
    const fuzz = async (name: MethodName): Promise<Map<string, number>> => {
      const outcomes = new Map<string, number>()
      const count = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      const arbitrary = fuzzedRequest({
        method: `${description.brand.methodPrefix}${name}`,
        key: description.apiKeys.rpc,
        params: samples[name],
        next: () => number++,
      })
      const property = fc.asyncProperty(arbitrary, async (request) => {
        const seen = await send(request)
        const all = Buffer.from(request.body).toString('latin1') + JSON.stringify(request.headers)
        const wrong = judge(all, seen, secrets)
        if (wrong !== undefined) throw new Error(wrong)
        count(outcomeOf(seen))
      })
      const details = await fc.check(property, {
        seed,
        numRuns: requests,
        interruptAfterTimeLimit: 1_200_000,
        ...(path === undefined ? {} : { path }),
      })
      if (details.failed) {
        const smallest = details.counterexample?.[0] as FuzzedRequest | undefined
        problems.push(
          [
            `${name}: ${details.errorInstance}`,
            `  ${Buffer.from(smallest?.body ?? [])
              .toString('utf8')
              .slice(0, 1_000)}`,
            `  headers ${JSON.stringify(smallest?.headers)}`,
            `  reproduce: --seed ${seed} --path ${details.counterexamplePath} --methods ${name}`,
          ].join('\n'),
        )
      }
      return outcomes
    }

    const waiting = [...options.names]
    const lane = async () => {
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
        const begin = performance.now()
        const outcomes = await fuzz(name)
        const seconds = ((performance.now() - begin) / 1000).toFixed(0)
        const shown = [...outcomes].sort(([, a], [, b]) => b - a).map(([o, n]) => `${o} ${n}`)
        console.log(`${name.padEnd(30)}${seconds.padStart(5)} s  ${shown.join(', ')}`)
      }
    }
    await Promise.all(Array.from({ length: lanes }, lane))
    await pool.close()
  } finally {
    await stack.close()
  }
  for (const problem of new Set(problems)) console.error(`\n${problem}`)
  console.log(problems.length === 0 ? 'no fault found' : `${new Set(problems).size} faults`)
  return problems.length === 0 ? 0 : 1
}

function outcomeOf({ status, text }: Seen): string {
  if (status !== 200) return `HTTP ${status}`
  if (text.startsWith('[')) return 'batch'
  const code = /"error":\{"code":(-?\d+)/.exec(text)?.[1]
  if (code !== undefined) return code
  return /"success":false|"status":"(?:failed|timeout)"/.test(text) ? 'failure' : 'success'
}

let options: ReturnType<typeof readOptions>
try {
  options = readOptions()
} catch (error) {
  console.error(`${(error as Error).message}\n${usage}`)
  process.exit(2)
}
optimizeLate()
process.exit(await run(options))
