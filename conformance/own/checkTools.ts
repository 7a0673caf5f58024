import type { KeyName } from '../core/exchange.ts'
import type { ReceiverAnswer } from '../kit/servers/webhookReceiver.ts'

/** The response to an HTTP request, recorded as evidence. */
export type HttpAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The body parsed as JSON; undefined if it is not JSON. */
  readonly json: unknown
  /** Milliseconds until the whole response had arrived. */
  readonly ms: number
}

/** The response to a JSON-RPC call. */
export type RpcAnswer = HttpAnswer & {
  /** The member `result`; undefined if the answer has none. */
  readonly result: unknown
  /** The member `error`, if it has the form of JSON-RPC. */
  readonly error:
    | { readonly code: number; readonly message: string; readonly data?: unknown }
    | undefined
}

export type RequestOptions = {
  /** The API key by name; that of `read` by default, null for none. */
  readonly key?: KeyName | null
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds. */
  readonly timeoutMs?: number
}

export type ExplorerRequestOptions = Omit<RequestOptions, 'timeoutMs'> & {
  readonly query?: Readonly<Record<string, string | number>>
}

/** A webhook that arrived. */
export type WebhookDelivery = {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  /** As received, which is what a signature covers. */
  readonly body: Uint8Array
  /** `performance.now()` of its arrival, milliseconds. */
  readonly at: number
}

export type WebhookInbox = {
  /** Where the gateway reaches it. */
  readonly url: string
  /** In order of arrival. */
  readonly deliveries: readonly WebhookDelivery[]
  /** Waits until so many have arrived; false after `ms` milliseconds. */
  readonly wait: (count: number, ms: number) => Promise<boolean>
}

/**
 * Expectations: each throws what the report shows as expected and observed. `what` is a noun phrase:
 * `the id of the task`.
 */
export type Expect = {
  readonly that: (holds: boolean, what: string, expected: unknown, observed: unknown) => void
  readonly equal: (observed: unknown, expected: unknown, what: string) => void
  readonly match: (observed: unknown, pattern: RegExp, what: string) => string
  readonly object: (observed: unknown, what: string) => Readonly<Record<string, unknown>>
  /** The result of a call that succeeded: status 200, no error. */
  readonly result: (answer: RpcAnswer) => unknown
  /** The error of a call that was refused with this code, or one of these. */
  readonly error: (answer: RpcAnswer, code: number | readonly number[]) => RpcAnswer['error'] & {}
}

/**
 * What a check of a gateway itself works with. Members are added in minor releases, and removed or changed
 * only in major ones. Requests go through the limits of the target and are recorded as evidence, without
 * the values of keys.
 */
export type CheckTools = {
  readonly target: {
    readonly name: string
    readonly gatewayUrl: string
    readonly explorerUrl: string | undefined
    /** `svc_`, or that of the target's brand. */
    readonly methodPrefix: string
    readonly chainId: number | undefined
    /** Address of the task manager contract. */
    readonly taskManager: string | undefined
  }
  /** Calls a method, named without the prefix of the brand: `createTask`. */
  readonly call: (method: string, params: unknown, options?: RequestOptions) => Promise<RpcAnswer>
  /** Sends any body to the endpoint, for malformed requests. */
  readonly post: (body: string, options?: RequestOptions) => Promise<RpcAnswer>
  /** Reads the explorer; `path` is below `/v1`. Needs the capability `explorer`. */
  readonly explorer: (path: string, options?: ExplorerRequestOptions) => Promise<HttpAnswer>
  /** Calls the node of the target's chain: `eth_getCode`. Needs the capability `chain`. */
  readonly chain: (method: string, params?: readonly unknown[]) => Promise<unknown>
  /** Addresses of the deployed policy client of a fixture. Needs `client:<fixture>`. */
  readonly client: (fixture: string) => Readonly<Record<string, unknown>>
  /**
   * Receives webhooks while `run` runs. The answers are used in order, the last one repeatedly; 200 by
   * default. Needs the capability `webhook-receiver`.
   */
  readonly withInbox: <T>(
    run: (inbox: WebhookInbox) => Promise<T>,
    answers?: readonly ReceiverAnswer[],
  ) => Promise<T>
  readonly expect: Expect
  /** Puts a line into the report, never a verdict. */
  readonly observe: (text: string) => void
  /** Ends the check as untestable, for this reason. */
  readonly untestable: (reason: string) => never
  /** Runs the valid request from which the refused one differs; see `twin` of the check. */
  readonly twin: <T>(run: () => Promise<T>) => Promise<T>
  /** Undoes what the check did; reports do not show it as the subject of a failure. */
  readonly cleanup: <T>(run: () => Promise<T>) => Promise<T | undefined>
  /** Reports show `$name` instead of this value: a token that the check uses. At least 6 characters. */
  readonly secret: (name: string, value: string) => void
  /** 32 bits that depend on the seed of the run, the check and the use: the same in a repeated run. */
  readonly seed: (use?: string) => number
  /** How long to wait for what takes `usualMs` milliseconds on a target that answers at once. */
  readonly patienceMs: (usualMs: number) => number
}
