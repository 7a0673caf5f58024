/** Faults of a simulated node in front of Anvil. */
export type NodeFaults = {
  /** Maximum number of blocks and logs per response. */
  readonly maxBlocks?: number
  readonly maxLogs?: number
  /** Larger ranges are never answered; 0: nothing is. */
  readonly silentAbove?: number
  /** Each log comes with three that are not events. */
  readonly strangeLogs?: boolean
  /** Number of responses with wrong hashes. */
  readonly otherHashes?: number
}

type Call = { readonly method: string; readonly params: readonly unknown[]; readonly id: number }
type Range = { readonly fromBlock: string; readonly toBlock: string; readonly blockHash?: string }

/** A `fetch` that forwards calls, and counts them. */
export function nodeWith(faults: NodeFaults) {
  const node = {
    fetch: handle as typeof fetch,
    /** Answered ranges of logs. */
    ranges: [] as (readonly [number, number])[],
    refused: 0,
    strange: 0,
    otherHashes: faults.otherHashes ?? 0,
    calls: 0,
    /** Runs before the call with this number is answered, counted from 1. */
    before: undefined as
      | { readonly call: number; readonly run: () => Promise<unknown> }
      | undefined,
    /** Nothing is answered. */
    away: false,
    /** Number of responses from which logs are omitted, as of a lagging node. */
    forgetful: 0,
    /** Number of responses with a head three blocks lower. */
    behind: 0,
  }

  async function handle(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    if (node.away) throw new TypeError('fetch failed')
    const call = JSON.parse(String(init?.body)) as Call
    node.calls += 1
    if (node.before?.call === node.calls) await node.before.run()
    if (faults.silentAbove === 0) return await never(init)
    if (call.method === 'eth_getLogs') return await getLogs(call, input, init)
    if (call.method === 'eth_getBlockByNumber') return await getBlock(call, input, init)
    return await fetch(input, init)
  }

  async function getLogs(call: Call, input: string | URL | Request, init?: RequestInit) {
    const { fromBlock, toBlock, blockHash } = call.params[0] as Range
    if (blockHash !== undefined) return await fetch(input, init)
    const blocks = Number(toBlock) - Number(fromBlock) + 1
    if (faults.silentAbove !== undefined && blocks > faults.silentAbove) return await never(init)
    if (faults.maxBlocks !== undefined && blocks > faults.maxBlocks) {
      return refuse(call, 'block range is too wide')
    }
    const answer = (await (await fetch(input, init)).json()) as { result: object[] }
    if (faults.maxLogs !== undefined && answer.result.length > faults.maxLogs && blocks > 1) {
      return refuse(call, `query returned more than ${faults.maxLogs} results`)
    }
    if (node.forgetful > 0 && answer.result.length > 0) {
      node.forgetful -= 1
      return Response.json({ ...answer, result: [] })
    }
    node.ranges.push([Number(fromBlock), Number(toBlock)])
    if (faults.strangeLogs) answer.result = answer.result.flatMap((log) => [log, ...strange(log)])
    if (node.otherHashes > 0 && answer.result.length > 0) {
      node.otherHashes -= 1
      Object.assign(answer.result.at(-1) as object, { blockHash: `0x${'ee'.repeat(32)}` })
    }
    return Response.json(answer)
  }

  async function getBlock(call: Call, input: string | URL | Request, init?: RequestInit) {
    const answer = (await (await fetch(input, init)).json()) as { result: { number: string } }
    if (call.params[0] === 'latest' && node.behind > 0) {
      node.behind -= 1
      const number = `0x${(Number(answer.result.number) - 3).toString(16)}`
      const body = JSON.stringify({ ...call, params: [number, false] })
      return await fetch(input, { ...init, body })
    }
    return Response.json(answer)
  }

  const refuse = ({ id }: Call, message: string) => {
    node.refused += 1
    return Response.json({ jsonrpc: '2.0', id, error: { code: -32_000, message } })
  }

  const never = (init?: RequestInit) => {
    node.refused += 1
    return new Promise<Response>((_, reject) => {
      const { signal } = init ?? {}
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
  }

  function strange(log: object): object[] {
    node.strange += 3
    const others = [
      { topics: (log as { topics: string[] }).topics.slice(0, 1) },
      { address: `0x${'99'.repeat(20)}` },
      { topics: [`0x${'12'.repeat(32)}`] },
    ]
    return others.map((other, at) => ({ ...log, ...other, logIndex: `0x${node.strange + at}` }))
  }

  return node
}
