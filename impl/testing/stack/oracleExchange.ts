import type { OracleReply } from './oracleReply.ts'

/** A request of an oracle to a mocked host. */
export type OracleRequest = {
  readonly method: string
  /** As the oracle asked for it, such as `https://api.example.com/price?symbol=ETH`. */
  readonly url: URL
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The body as JSON. @throws SyntaxError */
  json(): JsonValue
}

/** A request and its answer. */
export type OracleExchange = {
  readonly request: OracleRequest
  /** 0 if the connection was cut. */
  readonly status: number
  readonly responseBody: string
}

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue | undefined }

/** Anything but an `OracleReply` or a `Response` is answered as JSON with status 200. */
export type OracleAnswer = OracleReply | Response | JsonValue
export type OracleHandler = (request: OracleRequest) => OracleAnswer | Promise<OracleAnswer>
/** Answers by path, without query; `*` is any other path. */
export type OracleRoutes = {
  readonly [path: `/${string}`]: OracleAnswer | OracleHandler
  readonly '*'?: OracleAnswer | OracleHandler
}
