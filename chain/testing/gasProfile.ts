import { type Address, type Hash, hexToBytes, type PublicClient, toHex } from 'viem'

/** A part of what a transaction costs. */
export type GasPart = { readonly part: string; readonly gas: number }

type Step = {
  readonly op: string
  readonly depth: number
  /** Gas left before the step. */
  readonly gas: number
  readonly stack: readonly string[]
}

const precompiles: Readonly<Record<number, string>> = {
  1: 'ecrecover',
  2: 'SHA-256',
  4: 'copying',
  5: 'modular exponentiation (hash to curve)',
  6: 'curve additions',
  7: 'curve multiplications',
  8: 'pairing check',
}

const operations: Readonly<Record<string, string>> = {
  SLOAD: 'storage reads',
  SSTORE: 'storage writes',
  KECCAK256: 'hashing',
}

const calls = new Set(['CALL', 'STATICCALL', 'DELEGATECALL', 'CALLCODE'])

/**
 * What a mined transaction spends its gas on, most first: the transaction itself, its calldata,
 * precompiles, storage, hashing, events, calls, and the other code of each contract.
 *
 * @param names of contracts
 * @throws if the node has no `debug_traceTransaction`
 */
export async function gasParts(
  client: PublicClient,
  hash: Hash,
  names: ReadonlyMap<Address, string>,
): Promise<GasPart[]> {
  const [{ input, to }, { gasUsed }, trace] = await Promise.all([
    client.getTransaction({ hash }),
    client.getTransactionReceipt({ hash }),
    client.request({
      method: 'debug_traceTransaction' as never,
      params: [hash, { disableStorage: true }] as never,
    }) as Promise<{ readonly structLogs: readonly Step[] }>,
  ])
  const parts = new Map<string, number>()
  const add = (part: string, gas: number) => parts.set(part, (parts.get(part) ?? 0) + gas)
  const bytes = hexToBytes(input)
  add('any transaction', 21_000)
  add(
    'calldata',
    bytes.reduce((sum, byte) => sum + (byte === 0 ? 4 : 16), 0),
  )
  const nameOf = (address: string) => names.get(address.toLowerCase() as Address) ?? address
  for (const { step, cost, contract } of costs(trace.structLogs, to ?? '')) {
    const callee = calls.has(step.op) ? Number(step.stack.at(-2)) : 0
    const precompile = precompiles[callee]
    const part =
      precompile ??
      operations[step.op] ??
      (step.op.startsWith('LOG')
        ? 'events'
        : calls.has(step.op)
          ? 'calls between contracts'
          : `code of ${nameOf(contract)}`)
    add(part, cost)
  }
  const known = [...parts.values()].reduce((sum, gas) => sum + gas, 0)
  add('other, less refunds', Number(gasUsed) - known)
  return [...parts].map(([part, gas]) => ({ part, gas })).sort((a, b) => b.gas - a.gas)
}

/** Each step with what it costs without the steps of its callee, and the contract that makes it. */
function* costs(steps: readonly Step[], to: string) {
  const contracts = [to]
  for (const [at, step] of steps.entries()) {
    const next = steps[at + 1]
    const contract = contracts[step.depth - 1] ?? to
    if (next === undefined || next.depth < step.depth) continue
    if (next.depth === step.depth) {
      yield { step, contract, cost: step.gas - next.gas }
      continue
    }
    // The callee's gas is in its own steps.
    const isDelegate = step.op === 'DELEGATECALL' || step.op === 'CALLCODE'
    const callee = toHex(BigInt(step.stack.at(-2) ?? '0x0'), { size: 20 })
    contracts[next.depth - 1] = isDelegate ? contract : callee
    const after = steps.slice(at + 1).find(({ depth }) => depth <= step.depth)
    if (after === undefined) continue
    const last = lastOf(steps, at + 1, next.depth)
    yield { step, contract, cost: step.gas - after.gas - (next.gas - last.gas) }
  }
}

/** The last step of the frame that begins at `from`. */
function lastOf(steps: readonly Step[], from: number, depth: number): Step {
  let last = steps[from]!
  for (let at = from; at < steps.length && steps[at]!.depth >= depth; at++)
    if (steps[at]!.depth === depth) last = steps[at]!
  return last
}
