import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { stringifyExact } from 'polgate-protocol/exactJson.ts'
import { stringToHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findTarget } from '../stack/serviceTarget.ts'
import { packageTask } from '../task/packageTask.ts'
import type { AuthorStack } from './authorStack.ts'
import { runMain } from './runMain.ts'

const echo = fileURLToPath(new URL('../../../fixtures/oracles/echo/oracle.wat', import.meta.url))

/** Allows about half of what it sees, and names what it saw where it denies. */
const policy = `package policy

default allow := false

# The command line does not know the client, whose domain is part of the digest.
intent := object.remove(input, ["intent_digest"])

seen := json.marshal({"input": intent, "wasm": data.wasm, "params": data.params})

deny contains sprintf("saw %s", [seen]) if count(seen) % 2 == 1

allow if count(deny) == 0
`

type Arguments = Readonly<Record<string, unknown>>
type Written = { readonly intent: object; readonly first: Arguments; readonly second: Arguments }

/** What decided, and on what. */
type Answer = { readonly allow: boolean; readonly reason: string }

/** Tasks, simulations of the gateway and of the command line see the same bytes, and decide the same. */
export function resolvedSuite(author: () => AuthorStack): void {
  let folder: string
  const write = (name: string, value: unknown) =>
    writeFile(join(folder, name), typeof value === 'string' ? value : stringifyExact(value))
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-mirror-'))
    await copyFile(echo, join(folder, 'echo.wat'))
    await write('policy.rego', policy)
    await write('intent.json', {})
    await write('params.json', { limit: 3 })
    await write('policy.yaml', {
      ...{ name: 'mirror', policy: 'policy.rego', params: 'params.json', intent: 'intent.json' },
      oracles: [
        { id: 'echo', source: 'echo.wat', wasmArgs: 'first.json' },
        { id: 'other', source: 'echo.wat', wasmArgs: 'second.json' },
      ],
    })
    for (const name of ['first.json', 'second.json']) await write(name, {})
    const { code, stderr } = await author().run('policy', 'publish', folder, '--json')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })
  afterAll(() => rm(folder, { recursive: true }))

  const recipient = `0x${'B2'.repeat(20)}`
  const args = fc.dictionary(
    fc.constantFrom('symbol', 'größe', 'limit'),
    fc.oneof(fc.string({ unit: 'binary', maxLength: 5 }), fc.bigInt({ min: 0n, max: 2n ** 70n })),
    { maxKeys: 2 },
  )
  const packages: fc.Arbitrary<Written> = fc.record({
    intent: fc.record({
      from: fc.constant(`0x${'a1'.repeat(20)}`),
      to: fc.constantFrom(recipient, recipient.toLowerCase()),
      value: fc.constantFrom('0x0', '0x1', '0x29d42b64e76714244cb'),
      data: fc.constantFrom('0x', '0x00', `0xa9059cbb${'00'.repeat(64)}`),
      chain_id: fc.constant('0x7a69'),
      function_signature: fc.constantFrom(
        '0x',
        '0x7472616e7366657228616464726573732c75696e7432353629',
      ),
    }),
    first: args,
    second: args,
  })

  const plain = {
    ...{ from: `0x${'a1'.repeat(20)}`, to: recipient, value: '0x0', data: '0x' },
    ...{ chain_id: '0x7a69', function_signature: '0x' },
  }

  async function simulated(): Promise<Answer> {
    const { stdout } = await runMain('policy', 'simulate', folder, '--json')
    const { allow, reasons } = JSON.parse(stdout)
    return { allow, reason: reasons.join('; ') }
  }

  async function created(): Promise<Answer> {
    const { stdout } = await author().run('task', 'create', '--package', folder, '--json')
    const { allow, reasons } = JSON.parse(stdout)
    return { allow, reason: (reasons ?? []).join('; ') }
  }

  async function simulatedRemotely(): Promise<Answer> {
    const { gatewayUrl, apiKeys } = author().stack.description
    const target = await findTarget(author().file)
    const { client, intent, wasmArgs = '' } = await packageTask(folder, target)
    const response = await fetch(`${gatewayUrl}/rpc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKeys.rpc}` },
      body: stringifyExact({
        ...{ jsonrpc: '2.0', id: 1, method: 'svc_simulateTask' },
        params: { policy_client: client, intent, wasm_args: stringToHex(wasmArgs) },
      }),
    })
    const { result } = (await response.json()) as { readonly result: { readonly result: Answer } }
    const { allow, reason } = result.result
    return { allow: String(allow) === 'true', reason }
  }

  test('a task and every simulation of a package decide the same on the same bytes', async () => {
    const decisions = new Set<boolean>()
    await fc.assert(
      fc.asyncProperty(packages, async ({ intent, first, second }) => {
        const names = Object.keys(first).filter((name) => Object.hasOwn(second, name))
        fc.pre(names.every((name) => first[name] === second[name]))
        await write('intent.json', intent)
        await write('first.json', first)
        await write('second.json', second)
        const answers = [await simulated(), await simulatedRemotely(), await created()]
        expect(new Set(answers.map(stringifyExact)).size, stringifyExact(answers)).toBe(1)
        decisions.add(answers[0]!.allow)
      }),
      {
        numRuns: 14,
        // One is denied, the other allowed: its text has nine characters more.
        examples: [
          [{ intent: plain, first: {}, second: {} }],
          [{ intent: plain, first: { limit: 3n }, second: {} }],
        ],
      },
    )
    expect(decisions.size).toBe(2)
  })
}
