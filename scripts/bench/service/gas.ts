import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { encodeWasmArgs } from 'polgate-fixtures/caseIntent.ts'
import { startLocalStack } from 'polgate-local/localStack.ts'
import { plainIntent, stackClient } from 'polgate-local/testing/stackClient.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { createPublicClient, createTestClient, http, toHex } from 'viem'

const snapshotFile = fileURLToPath(new URL('../../../chain/gas.snapshot.json', import.meta.url))

export type Gas = Readonly<Record<'no oracle' | 'one oracle', number>>

/** From the committed snapshot if it has the figures, otherwise measured on a chain of its own. */
export async function gasOfValidation(): Promise<{ from: string; figures: Gas }> {
  const known = existsSync(snapshotFile)
    ? gasIn(JSON.parse(readFileSync(snapshotFile, 'utf8')))
    : undefined
  if (known !== undefined) return { from: 'chain/gas.snapshot.json', figures: known }
  return { from: 'transactions of policy clients on a local stack', figures: await measure() }
}

/** The figures of a snapshot, whatever they are nested in; undefined if one is missing. */
export function gasIn(snapshot: unknown): Gas | undefined {
  const all = pathsOf(snapshot, '')
  const find = (oracles: RegExp) =>
    all.find(([path]) => /validateAttestationDirect/i.test(path) && oracles.test(path))?.[1]
  const none = find(/\b(no|0|without)[ _-]?(an )?oracles?/i)
  const one = find(/\b(one|1)[ _-]?oracle/i)
  return none === undefined || one === undefined
    ? undefined
    : { 'no oracle': none, 'one oracle': one }
}

function pathsOf(value: unknown, path: string): [path: string, gas: number][] {
  if (typeof value === 'number') return [[path, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => pathsOf(inner, `${path} ${name}`))
}

async function measure(): Promise<Gas> {
  const { description, close } = await startLocalStack()
  try {
    return {
      'no oracle': await gasOf(description, 'allow-list', {}),
      'one oracle': await gasOf(description, 'priced-transfer', {
        wasm_args: encodeWasmArgs({ symbol: 'ETH' }, {}),
      }),
    }
  } finally {
    await close()
  }
}

/** The least of some tasks: one that the gateway posts before the transaction costs more. */
async function gasOf(stack: StackDescription, fixture: string, params: object): Promise<number> {
  const { policyClient } = stack.clients[fixture]!
  const transport = http(stack.chain.rpcUrl)
  const chain = createTestClient({ mode: 'anvil', transport })
  await chain.impersonateAccount({ address: policyClient })
  await chain.setBalance({ address: policyClient, value: 10n ** 20n })
  const used: number[] = []
  for (let times = 0; times < 4; times++) {
    const { result, error } = await stackClient(stack).call('createTask', {
      policy_client: policyClient,
      intent: plainIntent(stack, BigInt(times + 1)),
      include_validate_calldata: true,
      ...params,
    })
    const data = result?.validate_calldata
    if (data === undefined) throw new Error(`no attestation: ${JSON.stringify(error ?? result)}`)
    const to = stack.chain.taskManager
    const hash = await chain.request({
      method: 'eth_sendTransaction' as never,
      params: [{ from: policyClient, to, data, gas: toHex(5_000_000) }] as never,
    })
    const receipt = await createPublicClient({ transport }).waitForTransactionReceipt({ hash })
    if (receipt.status !== 'success') throw new Error('the attestation was refused')
    used.push(Number(receipt.gasUsed))
  }
  return Math.min(...used)
}
