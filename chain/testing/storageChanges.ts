import { type Address, type Hex, type PublicClient, zeroHash } from 'viem'

export type TracedCall = { readonly from: Address; readonly to: Address; readonly data: Hex }

/** Requests to a node that viem has no types for. */
export type NodeRequests = {
  request(call: { readonly method: string; readonly params: readonly unknown[] }): Promise<unknown>
}

type States = Readonly<Record<string, { readonly storage?: Readonly<Record<string, string>> }>>

/**
 * What a call would change in storage, of every contract: values by `address slot`, in lower case. The
 * call is made on the latest block, and not sent.
 */
export async function storageChanges(
  client: PublicClient,
  call: TracedCall,
): Promise<ReadonlyMap<string, string>> {
  const { request } = client as unknown as NodeRequests
  const tracer = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }
  const params = [call, 'latest', tracer]
  const answer = await request({ method: 'debug_traceCall', params })
  const { pre, post } = answer as { readonly pre: States; readonly post: States }
  const slots = (states: States, value: (is: string) => string) =>
    Object.entries(states).flatMap(([address, { storage = {} }]) =>
      Object.entries(storage).map(
        ([slot, is]) => [`${address.toLowerCase()} ${slot}`, value(is)] as const,
      ),
    )
  // A slot that is zero afterwards is in the first only.
  return new Map([...slots(pre, () => zeroHash), ...slots(post, (is) => is)])
}
