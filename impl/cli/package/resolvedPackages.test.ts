import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { parseExact, stringifyExact } from 'polgate-protocol/exactJson.ts'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { lastIntent } from '../dev/lastIntent.ts'
import { readJson } from '../policy/inputFiles.ts'
import { filesOf, type SimulatePolicyOptions } from '../policy/policyFlags.ts'
import { readOracles } from '../policy/policyPackage.ts'
import { publishedFileName } from '../publish/publication.ts'
import type { ServiceTarget } from '../stack/serviceTarget.ts'
import { intentOf, wasmArgsOf } from '../task/intentOptions.ts'
import { packageTask } from '../task/packageTask.ts'
import { loadPolicyPackage } from './loadPolicyPackage.ts'
import { packageProblems } from './packageProblems.ts'

// A package is written, and every command that evaluates it is asked what an oracle and the policy would see.

const address = `0x${'0a'.repeat(20)}` as const
const target = {
  accounts: { sender: { address } },
  chain: {
    chainId: 31337,
    rpcUrl: 'http://127.0.0.1:1',
    taskManager: address,
    policyFactory: address,
  },
} as unknown as ServiceTarget

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'svc-resolved-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const hex = fc
  .uint8Array({ maxLength: 40 })
  .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`)
const anyCase = fc.constantFrom(
  address,
  `0x${'0A'.repeat(20)}`,
  `0x${'aB'.repeat(20)}`,
  `0x${'00'.repeat(20)}`,
)
const intents = fc.record(
  {
    from: anyCase,
    to: anyCase,
    value: fc.constantFrom('0x0', '0x05', '0xFF', '0x29d42b64e76714244cb'),
    data: hex,
    chain_id: fc.constantFrom('0x7a69', '0x07A69'),
    function_signature: hex,
  },
  { requiredKeys: ['from', 'to'] },
)
const scalars = fc.oneof(
  fc.constantFrom('ETH', '', 1, 1.5, null, true),
  fc.bigInt({ min: 2n ** 60n, max: 2n ** 70n }),
  fc.array(fc.nat(3), { maxLength: 2 }),
)
const objects = fc.dictionary(fc.constantFrom('symbol', 'limit', 'größe'), scalars, { maxKeys: 2 })
/** As an author may write a file of arguments. */
const argumentFiles = fc.option(
  fc.oneof(
    objects.map(stringifyExact),
    objects.map((object) => `  ${stringifyExact(object)}\n`),
    fc.constantFrom('[1]', '"text"', '{"a": 1.0, "a": 2}', '{}'),
  ),
  { nil: undefined },
)
const packages = fc.record({
  intent: intents,
  oracles: fc.array(argumentFiles, { minLength: 1, maxLength: 4 }),
})

type Written = { readonly intent: object; readonly oracles: readonly (string | undefined)[] }

function write({ intent, oracles }: Written): string {
  const folder = join(home, 'package')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const files: Record<string, string> = {
    'policy.rego': 'package policy\n\ndefault allow := false\n',
    'intent.json': JSON.stringify(intent),
    'oracle.wasm': '',
    [publishedFileName]: JSON.stringify({
      version: 1,
      publications: [
        {
          ...{ chainId: 31337, policyFactory: address, deployer: address, policyData: {} },
          client: { address, code: '' },
        },
      ],
    }),
  }
  const described = oracles.map((args, at) => {
    if (args !== undefined) files[`args${at}.json`] = args
    return {
      ...{ id: `oracle${at}`, source: 'oracle.wasm' },
      ...(args === undefined ? {} : { wasmArgs: `args${at}.json` }),
    }
  })
  files['policy.yaml'] = JSON.stringify({
    ...{ name: 'generated', policy: 'policy.rego', intent: 'intent.json', oracles: described },
  })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

type Seen = { readonly intent: string; readonly args: readonly string[] }

const flags = { oracle: [], wasmArgs: [], secretsFile: [], secretsSchema: [] }

/** Members in one order: intents are compared by member. */
const sorted = (intent: object): string =>
  stringifyExact(Object.fromEntries(Object.entries(intent).sort(([a], [b]) => (a < b ? -1 : 1))))

async function taskCreate(folder: string): Promise<Seen> {
  const task = await packageTask(folder, target)
  const args = wasmArgsOf(task.wasmArgs) ?? '0x'
  return { intent: sorted(intentOf(target, {}, task.intent)), args: [args] }
}

async function simulate(folder: string): Promise<Seen> {
  const { files } = await filesOf(folder, flags as unknown as SimulatePolicyOptions)
  const { inputs } = await readOracles(files.oracles, {
    wasmArgs: new Map(),
    note: () => undefined,
  })
  const intent = (await readJson(files.intent!)) as object
  return {
    intent: sorted(intent),
    args: inputs.map(({ wasmArgs }) => `0x${Buffer.from(wasmArgs).toString('hex')}`),
  }
}

async function dev(folder: string): Promise<Seen> {
  const last = await lastIntent(target, address, await loadPolicyPackage(folder))
  const { intent, wasm_args = '0x' } = last!.asked
  return { intent: sorted(intent), args: [String(wasm_args)] }
}

const shared = (args: string): string => Buffer.from(args.slice(2), 'hex').toString('utf8')

/** Of an object with arguments; none of other texts, which are never combined. */
function membersOf(text: string): Readonly<Record<string, unknown>> {
  const value = parseExact(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
}

const outcome = async (seen: Promise<Seen>): Promise<Seen | string> =>
  await seen.catch((error: Error) => error.message)

it('gives every command the same intent and arguments, or all refuse it', async () => {
  let refused = 0
  await fc.assert(
    fc.asyncProperty(packages, async (written) => {
      const folder = write(written)
      const [task, simulated, last] = await Promise.all(
        [taskCreate, simulate, dev].map((command) => outcome(command(folder))),
      )
      const [problem] = await packageProblems(await loadPolicyPackage(folder))
      if (typeof task === 'string') {
        refused += 1
        expect([simulated, last]).toEqual([task, task])
        expect(problem?.message).toContain(task)
        return
      }
      expect(problem).toBeUndefined()
      const { args, intent } = simulated as Seen
      expect(new Set(args)).toEqual(new Set(task!.args))
      for (const text of written.oracles)
        if (text !== undefined)
          expect(membersOf(shared(task!.args[0]!))).toMatchObject(membersOf(text))
      expect((last as Seen).args).toEqual(task!.args)
      // What the file leaves out has a default in a task, where a simulation refuses it.
      const given = Object.keys(written.intent).sort()
      const own = (text: string) => {
        const all = JSON.parse(text) as Record<string, unknown>
        return given.map((name) => all[name])
      }
      expect(own(task!.intent)).toEqual(own(intent))
      expect((last as Seen).intent).toEqual(task!.intent)
    }),
    { numRuns: 2_000 },
  )
  expect(refused).toBeGreaterThan(200)
}, 300_000)
