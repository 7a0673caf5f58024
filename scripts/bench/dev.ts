import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createIntent, createServiceClient } from 'polgate-client/index.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { startDev } from '../../impl/cli/testing/devProcess.ts'
import { percentile } from './oracles/section.ts'

/**
 * `npm run bench:dev`: `polgate dev` as a process, with a template of `policy init`: from the write of a file to the
 * printed decision of the new version, for each kind of change. Beside it, a task of the same client in the same run.
 * Fails if a goal is missed, except with --quick. Options: --changes N (20 of each kind), --builds N (4 of an oracle),
 * --quick (1 of each), --json.
 */
const { values: options } = parseArgs({
  options: {
    changes: { type: 'string' },
    builds: { type: 'string' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const changes = Number(options.changes ?? (options.quick ? 1 : 20))
const builds = Number(options.builds ?? (options.quick ? 1 : 4))

const template = fileURLToPath(new URL('../../impl/cli/templates/price-feed', import.meta.url))
const scratch = await mkdtemp(join(tmpdir(), 'bench-dev-'))
const folder = join(scratch, 'price-feed')
await cp(template, folder, { recursive: true })
const original = new Map<string, string>()
for (const name of ['policy.rego', 'params.json', 'mocks.yaml', 'oracles/price_feed.js'])
  original.set(name, await readFile(join(folder, name), 'utf8'))

const dev = startDev(['price-feed', '--port', '0'], scratch)

type Row = { readonly name: string; readonly samples: readonly number[]; readonly goal?: number }

/** Milliseconds from the write of a file to the decision that it makes. */
async function timeOf(name: string, text: string, reason: string): Promise<number> {
  const begin = performance.now()
  await writeFile(join(folder, name), text)
  const { after } = await dev.next('decision')
  const ms = performance.now() - begin
  if (after.reason !== reason) throw new Error(`another decision after ${name}: ${after.reason}`)
  return ms
}

type Change = {
  readonly name: string
  readonly file: string
  readonly goal: number
  readonly count: number
  /** The text of the file for the decision of this change, which differs from the one before. */
  readonly change: (text: string, at: number) => readonly [text: string, reason: string]
  /** Whether the tests of the change before are awaited. */
  readonly idle: boolean
}

const tooMuch = 'value exceeds the limit'
const changed = (at: number) => at % 2 === 0
const ownRule = (text: string, at: number) =>
  [`${text}\n\ndeny contains "change ${at}" if true\n`, `change ${at}`] as const

const kinds: readonly Change[] = [
  { name: 'Rego', file: 'policy.rego', goal: 1_000, count: changes, idle: true, change: ownRule },
  {
    ...{ name: 'Rego, during tests', file: 'policy.rego', goal: 1_000, count: changes },
    ...{ idle: false, change: (text, at) => ownRule(text, changes + at) },
  },
  {
    ...{ name: 'params', file: 'params.json', goal: 1_000, count: changes, idle: true },
    change: (text, at) => [
      text.replace('5000', String((changed(at) ? 1 : 5_000) + at)),
      changed(at) ? tooMuch : '',
    ],
  },
  {
    ...{ name: 'mocks', file: 'mocks.yaml', goal: 1_000, count: changes, idle: true },
    change: (text, at) => [
      text.replace('price: 2000', `price: ${(changed(at) ? 6_000 : 2_000) + at}`),
      changed(at) ? tooMuch : '',
    ],
  },
  {
    ...{ name: 'oracle source', file: 'oracles/price_feed.js', goal: 10_000, count: builds },
    // Never built before: a component of the same source would come from the cache.
    ...{ idle: true, change: (text) => [`${text}\n// ${randomUUID()}\n`, ''] },
  },
]

async function measure({ name, file, goal, count, change, idle }: Change): Promise<Row> {
  const text = original.get(file)!
  const samples: number[] = []
  for (let at = 0; at < count; at += 1) {
    samples.push(await timeOf(file, ...change(text, at)))
    if (idle) await dev.next('waiting')
  }
  if (!idle) await dev.next('waiting')
  await writeFile(join(folder, file), text)
  await dev.next('waiting')
  return { name, samples, goal }
}

/** Tasks without anything around them. */
async function reference(): Promise<Row> {
  const stack = JSON.parse(
    await readFile(join(scratch, '.svc/stack.json'), 'utf8'),
  ) as StackDescription
  const applied = dev.events.findLast((event) => event.event === 'applied')
  const client = createServiceClient({ url: stack.gatewayUrl, key: stack.apiKeys.rpc })
  const samples: number[] = []
  for (let at = 0; at < changes; at += 1) {
    const begin = performance.now()
    await client.createTask({
      policy_client: applied!.client as `0x${string}`,
      intent: createIntent({
        from: stack.accounts.sender.address as `0x${string}`,
        to: stack.accounts.recipient.address as `0x${string}`,
        value: BigInt(at),
        chainId: stack.chain.chainId,
      }),
      wasm_args: `0x${Buffer.from('{"symbol":"ETH"}').toString('hex')}`,
    })
    samples.push(performance.now() - begin)
  }
  return { name: 'createTask alone', samples }
}

let code = 0
try {
  await dev.idle()
  const rows: Row[] = []
  for (const kind of kinds) rows.push(await measure(kind))
  rows.push(await reference())
  const base = percentile(rows.at(-1)!.samples, 0.5)
  const results = rows.map(({ name, samples, goal }) => {
    const [p50, p95] = [percentile(samples, 0.5), percentile(samples, 0.95)]
    const met = goal === undefined || p95 < goal
    return { name, count: samples.length, p50, p95, goal: goal ?? null, met, toTask: p50 / base }
  })
  if (options.json) console.log(JSON.stringify(results))
  else {
    const ms = (value: number) => `${Math.round(value)} ms`.padStart(9)
    console.log(`${''.padEnd(22)}  count      p50      p95     goal  p50 to a task`)
    for (const { name, count, p50, p95, goal, met, toTask } of results)
      console.log(
        `${name.padEnd(22)} ${String(count).padStart(6)}${ms(p50)}${ms(p95)}${goal === null ? ''.padStart(9) : ms(goal)}${`${toTask.toFixed(1)} x`.padStart(11)}${met ? '' : '  missed'}`,
      )
    console.log(`load ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} processors`)
  }
  if (!options.quick && results.some(({ met }) => !met)) code = 1
} finally {
  await dev.end()
  await rm(scratch, { recursive: true, force: true })
}
process.exit(code)
