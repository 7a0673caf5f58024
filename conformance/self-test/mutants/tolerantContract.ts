import { operatorRegistryAbi, policyDataAbi, taskManagerAbi } from 'polgate-chain/artifacts/abis.ts'
import type { Target } from 'polgate-conformance/core/target.ts'
import type { PreparedTarget } from 'polgate-conformance/targets/target.ts'
import {
  concatHex,
  createPublicClient,
  createTestClient,
  getAbiItem,
  type Hex,
  http,
  keccak256,
  size,
  slice,
  toFunctionSelector,
  toHex,
} from 'viem'
import type { MarkFired } from './mutant.ts'

/**
 * Contracts with a fault. The code of a contract is moved to another address and replaced by code
 * that delegates every call to it and changes some results: storage, caller and address stay, so
 * forks of the chain have the fault too. The fault is active from the start; a contract cannot
 * report when it took effect.
 */
export type Part = Hex | { readonly jumpTo: string } | { readonly label: string }

/** Assembles bytecode with resolved labels. */
export function assemble(parts: readonly Part[]): Hex {
  const places = new Map<string, number>()
  let at = 0
  for (const part of parts) {
    if (typeof part === 'string') at += size(part)
    else if ('label' in part) places.set(part.label, at++)
    else at += 3
  }
  return concatHex(
    parts.map((part) => {
      if (typeof part === 'string') return part
      if ('label' in part) return '0x5b'
      return concatHex(['0x61', toHex(places.get(part.jumpTo) ?? 0, { size: 2 })])
    }),
  )
}

/** Delegates the call; leaves its result in memory and its success on the stack. */
export const delegate = (code: Hex): Hex =>
  concatHex(['0x365f5f375f5f365f73', code, '0x5af43d5f5f3e'])

/** Calls that revert with one of the selectors return 1 instead. */
const tolerant = (code: Hex, selectors: readonly Hex[]): Hex =>
  assemble([
    delegate(code),
    { jumpTo: 'done' },
    '0x57',
    '0x5f5160e01c',
    ...selectors.flatMap((selector): Part[] => [
      concatHex(['0x8063', selector, '0x14']),
      { jumpTo: 'taken' },
      '0x57',
    ]),
    '0x3d5ffd',
    { label: 'taken' },
    '0x60015f5260205ff3',
    { label: 'done' },
    '0x3d5ff3',
  ])

/** How many blocks back a mutant searches for the one in an id. */
const blocksBack = 256

/**
 * Offset of `taskCreatedBlock` in calldata: after the selector, the three heads and three words.
 */
const blockAt = '0xc4'

/**
 * `validateAttestationDirect` accepts a task whose id was computed with an earlier block, and does
 * not count its expiry from that one: as if the block were not part of the id.
 */
function forgettingBlock(code: Hex): Hex {
  const isError = (name: string) => concatHex(['0x63', errorSelector(name), '0x14'])
  const validate = getAbiItem({ abi: taskManagerAbi, name: 'validateAttestationDirect' })
  return assemble([
    concatHex(['0x365f5f375f3560e01c63', toFunctionSelector(validate), '0x1415']),
    { jumpTo: 'other' },
    concatHex(['0x5760', blockAt, '0x3561', toHex(blocksBack, { size: 2 })]),
    { label: 'earlier' },
    concatHex(['0x8160', blockAt, '0x525f5f365f73', code, '0x5af43d5f363e']),
    { jumpTo: 'done' },
    '0x57',
    '0x365160e01c',
    concatHex(['0x80', isError('AttestationExpired')]),
    { jumpTo: 'taken' },
    '0x57',
    concatHex([isError('TaskIdMismatch'), '0x15']),
    { jumpTo: 'failed' },
    // One block earlier, one attempt less.
    '0x5760019003906001900390',
    '0x80',
    { jumpTo: 'earlier' },
    '0x57',
    { label: 'failed' },
    '0x3d36fd',
    { label: 'done' },
    '0x3d36f3',
    { label: 'taken' },
    '0x60015f5260205ff3',
    { label: 'other' },
    concatHex(['0x5f5f365f73', code, '0x5af43d5f5f3e']),
    { jumpTo: 'returned' },
    '0x573d5ffd',
    { label: 'returned' },
    '0x3d5ff3',
  ])
}

/** One function returns the data for any arguments; the others are delegated. */
function answering(code: Hex, selector: Hex, data: Hex): Hex {
  const length = toHex(size(data), { size: 2 })
  const head = (offset: number): Hex =>
    assemble([
      concatHex(['0x5f3560e01c63', selector, '0x14']),
      { jumpTo: 'own' },
      '0x57',
      delegate(code),
      { jumpTo: 'done' },
      '0x57',
      '0x3d5ffd',
      { label: 'done' },
      '0x3d5ff3',
      { label: 'own' },
      concatHex(['0x61', length, '0x61', toHex(offset, { size: 2 }), '0x5f39']),
      concatHex(['0x61', length, '0x5ff3']),
    ])
  return concatHex([head(size(head(0))), data])
}

/** One function gets the current block number instead of one of its arguments. */
const givenHead = (code: Hex, selector: Hex, argument: number): Hex =>
  assemble([
    concatHex(['0x365f5f375f3560e01c63', selector, '0x1415']),
    { jumpTo: 'pass' },
    concatHex(['0x574360', toHex(4 + 32 * argument, { size: 1 }), '0x52']),
    { label: 'pass' },
    concatHex(['0x5f5f365f73', code, '0x5af43d5f5f3e']),
    { jumpTo: 'done' },
    '0x573d5ffd',
    { label: 'done' },
    '0x3d5ff3',
  ])

function codeOf(target: Target, address: Hex): Promise<Hex> {
  const transport = http(target.chain?.rpcUrl)
  const { request } = createTestClient({ mode: 'anvil', transport })
  return request({ method: 'eth_getCode', params: [address, 'latest'] } as never)
}

export async function replace(
  target: Target,
  address: Hex,
  codeBefore: (moved: Hex) => Promise<Hex> | Hex,
): Promise<void> {
  const client = createTestClient({ mode: 'anvil', transport: http(target.chain?.rpcUrl) })
  const code = await codeOf(target, address)
  // By its code: one contract may be replaced several times.
  const moved = slice(keccak256(concatHex([address, code])), 0, 20)
  await client.setCode({ address: moved, bytecode: code })
  await client.setCode({ address, bytecode: await codeBefore(moved) })
}

const errors = [...taskManagerAbi, ...operatorRegistryAbi, ...policyDataAbi].flatMap((item) =>
  item.type === 'error' ? [item] : [],
)

function errorSelector(name: string): Hex {
  const error = errors.find((item) => item.name === name)
  if (error === undefined) throw new Error(`no contract has an error ${name}`)
  const types = error.inputs.map(({ type }) => type).join(',')
  return slice(keccak256(toHex(`${name}(${types})`)), 0, 4)
}

const same = (target: Target): PreparedTarget => ({ target, close: async () => undefined })

/** A task manager without the checks that have these errors: it accepts what they reject. */
export const tolerantManager =
  (...names: readonly [string, ...string[]]) =>
  async (target: Target, markFired: MarkFired): Promise<PreparedTarget> => {
    const selectors = names.map(errorSelector)
    const manager = target.chain?.taskManager as Hex
    await replace(target, manager, (moved) => tolerant(moved, selectors))
    markFired()
    return same(target)
  }

/** A task manager whose task id does not include the reference block. */
export async function managerForgettingBlock(
  target: Target,
  markFired: MarkFired,
): Promise<PreparedTarget> {
  await replace(target, target.chain?.taskManager as Hex, forgettingBlock)
  markFired()
  return same(target)
}

/** A registry that verifies against the current operators, whatever the reference block. */
export async function registryOfNow(target: Target, markFired: MarkFired): Promise<PreparedTarget> {
  const client = createPublicClient({ transport: http(target.chain?.rpcUrl) })
  const registry = await client.readContract({
    address: target.chain?.taskManager as Hex,
    abi: taskManagerAbi,
    functionName: 'operatorRegistry',
  })
  const verify = getAbiItem({ abi: operatorRegistryAbi, name: 'verifySignature' })
  const argument = verify.inputs.findIndex(({ name }) => name === 'referenceBlock')
  await replace(target, registry, (moved) => givenHead(moved, toFunctionSelector(verify), argument))
  markFired()
  return same(target)
}

/** The compiled constant: 100 blocks, which are added to the block of the response. */
const hundredBlocks = (blocks: number): string =>
  concatHex(['0x60', toHex(blocks, { size: 1 }), '0x8101809111']).slice(2)

/** A task manager with a challenge window of so many blocks, at most 255. */
export const managerWithWindow =
  (blocks: number) =>
  async (target: Target, markFired: MarkFired): Promise<PreparedTarget> => {
    const manager = target.chain?.taskManager as Hex
    const client = createTestClient({ mode: 'anvil', transport: http(target.chain?.rpcUrl) })
    const code = await codeOf(target, manager)
    const [before, after, ...more] = code.split(hundredBlocks(100))
    if (before === undefined || after === undefined || more.length > 0)
      throw new Error('the challenge window was not found in the code of the contract')
    const bytecode = `${before}${hundredBlocks(blocks)}${after}` as Hex
    await client.setCode({ address: manager, bytecode })
    markFired()
    return same(target)
  }

/** A policy client, by its name, whose function of this selector returns other data. */
export const answeringClient =
  (name: string, selector: Hex, change: (data: Hex) => Hex) =>
  async (target: Target, markFired: MarkFired): Promise<PreparedTarget> => {
    const client = target.clients[name]?.policyClient as Hex
    const transport = http(target.chain?.rpcUrl)
    const { request } = createTestClient({ mode: 'anvil', transport })
    const call = { to: client, data: selector }
    const data = (await request({ method: 'eth_call', params: [call, 'latest'] } as never)) as Hex
    await replace(target, client, (moved) => answering(moved, selector, change(data)))
    markFired()
    return same(target)
  }
