import { digestOf, hmacOf } from '#hashing'
import { toHex } from '#platform'
import { BuiltinError } from '../errors.ts'
import { display } from '../values/display.ts'
import { stringify } from '../values/json.ts'
import { RegoObject } from '../values/object.ts'
import { isNumber, type ObjectValue, type Value } from '../values/value.ts'
import { WrittenNumber } from '../values/writtenNumber.ts'
import type { Builtin, BuiltinContext } from './builtin.ts'
import { bytesIn } from './bytes.ts'
import { escapedPath, parseUrl } from './goUrl.ts'
import { chargeText } from './json.ts'
import { asBoolean, asObject, operandError } from './operands.ts'
import { formatTime } from './time/format.ts'
import { UTC } from './time/zone.ts'
import { ANY, ANY_OBJECT, NUMBER, objectOf, STRING } from './types.ts'

const CONFIG = ['aws_access_key', 'aws_region', 'aws_secret_access_key', 'aws_service'] as const

const set = (names: readonly string[]): string => `{${names.map((name) => `"${name}"`).join(', ')}}`

/** The settings by name; all are required strings. */
function settings(config: ObjectValue): Record<(typeof CONFIG)[number], string> {
  const missing = CONFIG.filter((name) => !config.has(name))
  if (missing.length > 0) {
    throw operandError(2, `missing required AWS config parameters(s): ${set(missing)}`)
  }
  const wrong = CONFIG.filter((name) => typeof config.get(name) !== 'string')
  if (wrong.length > 0) {
    throw operandError(2, `invalid values for required AWS config parameters(s): ${set(wrong)}`)
  }
  return Object.fromEntries(CONFIG.map((name) => [name, config.get(name)])) as Record<
    (typeof CONFIG)[number],
    string
  >
}

/** The members of a request to `http.send`, which are the only ones of a request to sign. */
const REQUEST: ReadonlySet<Value> = new Set([
  ...['method', 'url', 'body', 'raw_body', 'headers', 'timeout', 'raise_error', 'enable_redirect'],
  ...['force_json_decode', 'force_yaml_decode', 'cache', 'force_cache', 'caching_mode'],
  ...['force_cache_duration_seconds', 'cache_ignored_headers', 'max_retry_attempts'],
  ...['tls_use_system_certs', 'tls_ca_cert', 'tls_ca_cert_file', 'tls_ca_cert_env_variable'],
  ...['tls_client_cert', 'tls_client_cert_file', 'tls_client_cert_env_variable'],
  ...['tls_client_key', 'tls_client_key_file', 'tls_client_key_env_variable'],
  ...['tls_insecure_skip_verify', 'tls_server_name'],
])

function checkRequest(request: ObjectValue): void {
  const unknown = request.keys().filter((key) => !REQUEST.has(key))
  if (unknown.length > 0) {
    const names = unknown.map((key) => display(key)).join(', ')
    throw operandError(1, `invalid request parameters(s): {${names}}`)
  }
  const missing = ['method', 'url'].filter((name) => !request.has(name))
  if (missing.length > 0) {
    throw operandError(1, `missing required request parameters(s): ${set(missing)}`)
  }
}

function requestText(request: ObjectValue, name: 'method' | 'url'): string {
  const value = request.get(name)
  if (typeof value !== 'string')
    throw operandError(1, `invalid values for required request parameters(s): {"${name}"}`)
  return value
}

function bodyOf(request: ObjectValue): Uint8Array {
  const [raw, body] = [request.get('raw_body'), request.get('body')]
  if (raw !== undefined) return bytesIn(textOrEmpty(raw))
  return bytesIn(body === undefined ? '' : stringify(body, { html: true }))
}

/** A copy of the headers; in OPA a name or value of another type is the empty text. */
function headersOf(request: ObjectValue): RegoObject {
  const headers = request.get('headers')
  const copy = new RegoObject()
  if (headers !== undefined) {
    asObject(headers, 1).forEach((name, value) => {
      copy.set(textOrEmpty(name), textOrEmpty(value))
    })
  }
  return copy
}

const textOrEmpty = (value: Value): string => (typeof value === 'string' ? value : '')

const NOT_SIGNED = ['authorization', 'user-agent', 'x-amzn-trace-id']

const hmac = (key: Uint8Array, text: string): Uint8Array => hmacOf('sha256', key, bytesIn(text))

const sha256 = (data: string | Uint8Array): string =>
  toHex(digestOf('sha256', typeof data === 'string' ? bytesIn(data) : data))

function momentOf(value: Value): bigint {
  const wrong = operandError(3, 'could not convert time_ns value into a unix timestamp')
  // In Go an integer with an exponent or a fraction is none.
  if (value instanceof WrittenNumber || !isNumber(value) || !Number.isInteger(Number(value)))
    throw wrong
  const ns = BigInt(value)
  if (BigInt.asIntN(64, ns) !== ns) throw wrong
  return ns
}

/** Adds the headers of an AWS signature, version 4, to a request. */
function sign(ctx: BuiltinContext, a: Value, b: Value, c: Value): Value {
  const request = asObject(a, 1)
  const config = asObject(b, 2)
  chargeText(ctx, request)
  ctx.meter.charge(100)
  const { aws_access_key, aws_region, aws_secret_access_key, aws_service } = settings(config)
  const ns = momentOf(c)
  checkRequest(request)
  const address = requestText(request, 'url')
  const url = parseUrl(address)
  if (url === undefined) {
    const why = address.startsWith(':') ? 'missing protocol scheme' : 'invalid URL'
    throw new BuiltinError(`parse ${JSON.stringify(address)}: ${why}`)
  }
  const unsigned = config.get('disable_payload_signing')
  const isUnsigned = unsigned !== undefined && asBoolean(unsigned, 2)
  const content = isUnsigned ? 'UNSIGNED-PAYLOAD' : sha256(bodyOf(request))

  const [now, day] = ['20060102T150405Z', '20060102'].map((layout) => formatTime(ns, UTC, layout))
  const own = new Map([
    ['host', url.host],
    ['x-amz-date', now ?? ''],
  ])
  if (aws_service === 's3' || aws_service === 'glacier') own.set('x-amz-content-sha256', content)
  const token = config.get('aws_session_token')
  if (typeof token === 'string' && token !== '') own.set('x-amz-security-token', token)

  const headers = headersOf(request)
  // The signature covers the headers of the request, although the result contains the computed
  // ones.
  const signed = new Map(own)
  headers.forEach((name, value) => {
    const lower = textOrEmpty(name).toLowerCase()
    if (!NOT_SIGNED.includes(lower)) signed.set(lower, textOrEmpty(value))
  })
  for (const [name, value] of own) headers.set(name, value)
  const names = [...signed.keys()].sort()
  const canonical = [
    requestText(request, 'method'),
    escapedPath(url.path),
    url.query,
    ...names.map((name) => `${name}:${signed.get(name)}`),
    '',
    names.join(';'),
    content,
  ].join('\n')
  const scope = `${day}/${aws_region}/${aws_service}/aws4_request`
  const key = [day ?? '', aws_region, aws_service, 'aws4_request'].reduce(
    hmac,
    bytesIn(`AWS4${aws_secret_access_key}`),
  )
  const text = ['AWS4-HMAC-SHA256', now, scope, sha256(canonical)].join('\n')
  const signature = toHex(hmac(key, text))
  headers.set(
    'Authorization',
    `AWS4-HMAC-SHA256 Credential=${aws_access_key}/${scope},SignedHeaders=${names.join(';')},Signature=${signature}`,
  )
  return request.copy().set('headers', headers)
}

export const awsBuiltins: readonly Builtin[] = [
  {
    name: 'providers.aws.sign_req',
    args: [objectOf(STRING, ANY), objectOf(STRING, ANY), NUMBER],
    result: ANY_OBJECT,
    keepsWritten: [2],
    call: sign,
  },
]
