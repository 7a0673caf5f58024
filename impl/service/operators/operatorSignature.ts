import {
  byteSequence,
  type Component,
  contentDigest,
  hmacSha256,
  sameText,
  signatureBase,
  signatureInput,
} from './messageSignature.ts'

/**
 * HTTP Message Signatures (RFC 9421) between gateway and operator: one signature named `sig`,
 * `hmac-sha256` with a shared secret, which is never sent. A request covers method, path and body,
 * with a time, a nonce, and the intended operator in `keyid`. A response covers status and body,
 * and through the nonce its request. Neither covers scheme or authority, so that a TLS proxy may be
 * in front of an operator; it must not change paths.
 */

/** Maximum clock difference in seconds; nonces are remembered for as long. */
export const clockSkewSeconds = 60

const label = 'sig'
const alg = 'hmac-sha256'
const tag = 'policy-operator'

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

export type RequestParts = {
  readonly method: string
  readonly path: string
  readonly contentType: string
  readonly contentDigest: string
}

export type SignatureParams = {
  /** Unix seconds. */
  readonly created: number
  /** Unique per request; the response has the same. */
  readonly nonce: string
  /** Address of the operator, lower case. */
  readonly keyid: string
}

export type ParsedSignature = SignatureParams & {
  /** All parameters, unmodified. */
  readonly params: string
  readonly identifiers: readonly string[]
  readonly signature: string
}

const requestComponents = (request: RequestParts): readonly Component[] => [
  ['"@method"', request.method],
  ['"@path"', request.path],
  ['"content-type"', request.contentType],
  ['"content-digest"', request.contentDigest],
]

export type ResponseParts = {
  readonly status: number
  readonly contentType: string
  readonly contentDigest: string
  readonly request: RequestParts
}

const responseComponents = (response: ResponseParts): readonly Component[] => [
  ['"@status"', String(response.status)],
  ['"content-type"', response.contentType],
  ['"content-digest"', response.contentDigest],
  ['"@method";req', response.request.method],
  ['"@path";req', response.request.path],
  ['"content-digest";req', response.request.contentDigest],
]

export type SignatureHeaders = Readonly<
  Record<'content-type' | 'content-digest' | 'signature-input' | 'signature', string>
>

function signed(
  secret: string,
  components: readonly Component[],
  message: Pick<RequestParts, 'contentType' | 'contentDigest'>,
  { created, nonce, keyid }: SignatureParams,
): SignatureHeaders {
  const params = `;created=${created};nonce="${nonce}";keyid="${keyid}";alg="${alg}";tag="${tag}"`
  const signature = hmacSha256(secret, signatureBase(components, params))
  return {
    'content-type': message.contentType,
    'content-digest': message.contentDigest,
    'signature-input': `${label}=${signatureInput(components, params)}`,
    signature: `${label}=${byteSequence(signature)}`,
  }
}

/** Headers of a request with a body. */
export const signRequest = (
  secret: string,
  request: RequestParts,
  params: SignatureParams,
): SignatureHeaders => signed(secret, requestComponents(request), request, params)

/** Headers of a response; `params` repeats nonce and `keyid` of the request. */
export const signResponse = (
  secret: string,
  response: ResponseParts,
  params: SignatureParams,
): SignatureHeaders => signed(secret, responseComponents(response), response, params)

export const partsOf = (
  method: string,
  path: string,
  contentType: string,
  body: string | Uint8Array,
): RequestParts => ({ method, path, contentType, contentDigest: contentDigest(body) })

/** Whether a parsed signature verifies with a secret over exactly these components. */
function verified(
  secret: string,
  components: readonly Component[],
  { params, identifiers, signature }: ParsedSignature,
): boolean {
  const byIdentifier = new Map(components)
  const covered = identifiers.map((name): Component => [name, byIdentifier.get(name) ?? ''])
  const complete =
    identifiers.length === components.length &&
    new Set(identifiers).size === identifiers.length &&
    identifiers.every((name) => byIdentifier.has(name))
  const expected = byteSequence(hmacSha256(secret, signatureBase(covered, params)))
  return sameText(expected, signature) && complete
}

export const verifyRequest = (
  secret: string,
  request: RequestParts,
  signature: ParsedSignature,
): boolean => verified(secret, requestComponents(request), signature)

export const verifyResponse = (
  secret: string,
  response: ResponseParts,
  signature: ParsedSignature,
): boolean => verified(secret, responseComponents(response), signature)

const inputPattern = /^sig=\(((?:"[a-z@-]+"(?:;req)?)(?: "[a-z@-]+"(?:;req)?)*)\)(;[ -~]+)$/
const signaturePattern = /^sig=(:[A-Za-z0-9+/]{43}=:)$/
const paramPattern = /;(created)=(\d{1,12})|;(nonce|keyid|alg|tag)="([A-Za-z0-9_-]{1,128})"/y

/** The signature of a message; undefined if missing or malformed. */
export function parseSignature(headers: Headers): ParsedSignature | undefined {
  const { 'signature-input': input, signature } = headers
  if (typeof input !== 'string' || typeof signature !== 'string' || input.length > 1_000) return
  const parts = inputPattern.exec(input)
  const bytes = signaturePattern.exec(signature)?.[1]
  if (parts === null || bytes === undefined) return
  const given = paramsOf(parts[2]!)
  const { created, nonce, keyid } = given
  if (created === undefined || nonce === undefined || keyid === undefined) return
  if (given.alg !== alg || given.tag !== tag) return
  return {
    created: Number(created),
    nonce,
    keyid,
    params: parts[2]!,
    identifiers: parts[1]!.split(' '),
    signature: bytes,
  }
}

/** Parameters in any order, each once; empty if there is anything else. */
function paramsOf(text: string): Readonly<Record<string, string>> {
  const given: Record<string, string> = {}
  paramPattern.lastIndex = 0
  while (paramPattern.lastIndex < text.length) {
    const match = paramPattern.exec(text)
    const name = match?.[1] ?? match?.[3]
    if (match === null || name === undefined || name in given) return {}
    given[name] = match[2] ?? match[4] ?? ''
  }
  return given
}
