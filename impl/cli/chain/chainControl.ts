import { chainRpc } from 'polgate-lib/http/chainRpc.ts'
import { CommandError } from '../commandDefinition.ts'
import { controlRequest } from '../controlRequest.ts'
import { findStack } from '../stack/findStack.ts'

export type ChainOptions = { readonly target?: string; readonly json?: boolean }

const mostBlocks = 100_000

/** `polgate chain mine`. @throws CommandError */
export async function mineBlocks(text: string, options: ChainOptions): Promise<void> {
  const blocks = Number(text)
  if (!/^\d{1,6}$/.test(text) || blocks < 1 || blocks > mostBlocks)
    throw new CommandError(`'${text.slice(0, 40)}' is not a number of blocks`, {
      hint: `Use a whole number from 1 to ${mostBlocks}.`,
    })
  const { stack } = await findStack(options.target)
  await post(stack.controlUrl, '/chain/mine', { blocks })
  const block = Number(await chainRpc(stack.chain.rpcUrl, 'eth_blockNumber'))
  print(options, { mined: blocks, block }, `mined ${blocks}, now at block ${block}`)
}

/** `polgate chain warp`. @throws CommandError */
export async function warp(text: string, options: ChainOptions): Promise<void> {
  const body = warpOf(text)
  const { stack } = await findStack(options.target)
  const { now } = (await post(stack.controlUrl, '/chain/warp', body)) as { now: number }
  const time = new Date(now).toISOString()
  print(options, { time }, `the stack is at ${time}`)
}

function warpOf(text: string): { seconds: number } | { time: number } {
  if (/^\d{1,12}$/.test(text)) return { seconds: Number(text) }
  const isTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?)?$/.test(text)
  const zoned = /T.*(Z|[+-]\d\d:\d\d)$/.test(text) || !text.includes('T') ? text : `${text}Z`
  const time = isTime ? new Date(zoned).getTime() : Number.NaN
  if (!Number.isNaN(time)) return { time }
  throw new CommandError(`'${text.slice(0, 40)}' is neither a number of seconds nor a time`, {
    hint: 'Use for example 3600, or 2030-01-01T00:00:00Z.',
  })
}

/** `polgate chain snapshot`. @throws CommandError */
export async function takeSnapshot(options: ChainOptions): Promise<void> {
  const { stack } = await findStack(options.target)
  const { id } = (await post(stack.controlUrl, '/chain/snapshot', {})) as { id: string }
  print(options, { id }, id)
}

/** `polgate chain revert`. @throws CommandError */
export async function revert(id: string, options: ChainOptions): Promise<void> {
  const { stack } = await findStack(options.target)
  const answer = await post(stack.controlUrl, '/chain/revert', { id })
  const time = new Date((answer as { now: number }).now).toISOString()
  const block = Number(await chainRpc(stack.chain.rpcUrl, 'eth_blockNumber'))
  print(options, { id, block, time }, `reverted to ${id}: block ${block}, ${time}`)
}

async function post(controlUrl: string, path: string, body: object): Promise<unknown> {
  const response = await controlRequest(controlUrl, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return await response.json()
}

function print({ json }: ChainOptions, machine: object, person: string): void {
  console.log(json ? JSON.stringify(machine) : person)
}
