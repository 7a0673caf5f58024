import type { AroundRequest } from 'polgate-chain/client.ts'
import type { Tracing } from './tracing.ts'

/** A span for each request to a node within a trace; its parameters are not recorded. */
export const tracedRequests =
  (tracing: Tracing): AroundRequest =>
  (method, request) =>
    tracing.child(
      `node ${method}`,
      { kind: 'client', attributes: { 'rpc.system.name': 'jsonrpc', 'rpc.method': method } },
      () => request(),
    )
