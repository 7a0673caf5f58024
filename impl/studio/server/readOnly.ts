/** Methods of the gateway that change nothing. */
const reads = /(^|_)(simulate\w+|get\w+)$|^rpc\.discover$/

/** Methods of a node that change nothing and need no account of the node. */
const nodeReads =
  /^(eth_(blockNumber|chainId|call|estimateGas|feeHistory|gasPrice|get\w+)|net_version|web3_clientVersion)$/

type Call = { readonly method?: unknown }

function methodsOf(body: string): readonly unknown[] | undefined {
  try {
    const parsed = JSON.parse(body) as Call | readonly Call[] | null
    return (Array.isArray(parsed) ? parsed : [parsed]).map((each: Call | null) => each?.method)
  } catch {
    return undefined
  }
}

/** Why a JSON-RPC body is refused when only reads are possible; undefined if it is not. */
export function changes(body: string, of: 'gateway' | 'node'): string | undefined {
  const methods = methodsOf(body)
  if (methods === undefined) return 'the body is not JSON'
  const allowed = of === 'gateway' ? reads : nodeReads
  const refused = methods.find((method) => typeof method !== 'string' || !allowed.test(method))
  return methods.every((method) => typeof method === 'string' && allowed.test(method))
    ? undefined
    : `Studio is read-only here: ${String(refused).slice(0, 64)} is refused`
}
