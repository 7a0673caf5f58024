import { ofHex, toHex } from '#platform'
import { display } from '../values/display.ts'
import { fromBigInt } from '../values/number.ts'
import { RegoObject } from '../values/object.ts'
import type { Value } from '../values/value.ts'
import type { Builtin, BuiltinContext } from './builtin.ts'
import { bytesIn } from './bytes.ts'
import { asString } from './operands.ts'
import { ANY, objectOf, STRING } from './types.ts'

const HEX = '[0-9a-fA-F]'
const DASHED = `${HEX}{8}-${HEX}{4}-${HEX}{4}-${HEX}{4}-${HEX}{12}`
/** Of 38 bytes, Go ignores the first and the last, whatever they are. */
const FORMS = new RegExp(
  `^(?:urn:uuid:(${DASHED})|[\\s\\S](${DASHED})[\\s\\S]|(${DASHED})|(${HEX}{32}))$`,
  'i',
)

function read(text: string): Uint8Array | undefined {
  const bytes = bytesIn(text.slice(0, 64))
  const match = FORMS.exec(String.fromCharCode(...bytes))
  if (match === null) return undefined
  const found = match[1] ?? match[2] ?? match[3] ?? match[4] ?? ''
  return ofHex(found.replaceAll('-', ''))
}

function variant(byte: number): string {
  if ((byte & 0xc0) === 0x80) return 'RFC4122'
  if ((byte & 0xe0) === 0xc0) return 'Microsoft'
  return (byte & 0xe0) === 0xe0 ? 'Future' : 'Reserved'
}

const DOMAINS = ['Person', 'Group', 'Org'] as const

/** From 1582-10-15, the epoch of UUID clocks, to 1970, in units of 100 ns. */
const EPOCH = 0x01b21dd213814000n

/** An unsigned number, the first byte the most significant. */
const big = (bytes: Uint8Array, at: number, length: number): bigint =>
  BigInt(`0x${toHex(bytes.subarray(at, at + length))}`)

/** The creation time of a UUID in nanoseconds since 1970, for versions that contain it. */
function timeOf(bytes: Uint8Array, version: number): bigint | undefined {
  const [low, middle] = [big(bytes, 0, 4), big(bytes, 4, 2)]
  const high = big(bytes, 6, 2) & 0x0fffn
  switch (version) {
    case 1:
    case 2:
      return (((high << 48n) | (middle << 32n) | low) - EPOCH) * 100n
    case 6:
      return (((low << 28n) | (middle << 12n) | high) - EPOCH) * 100n
    case 7:
      return ((low << 16n) | middle) * 1_000_000n
    default:
      return undefined
  }
}

/** Version and variant, and time and node for versions that contain them. */
function fields(bytes: Uint8Array): Value {
  const version = (bytes[6] as number) >> 4
  const result = new RegoObject()
    .set('version', version)
    .set('variant', variant(bytes[8] as number))
  const time = timeOf(bytes, version)
  if (time !== undefined) result.set('time', fromBigInt(time))
  if (version !== 1 && version !== 2) return result
  const node = bytes.subarray(10)
  const first = node[0] as number
  result
    .set('nodeid', [...node].map((byte) => byte.toString(16).padStart(2, '0')).join('-'))
    .set('macvariables', `${first & 2 ? 'local' : 'global'}:${first & 1 ? 'multicast' : 'unicast'}`)
    .set('clocksequence', Number(big(bytes, 8, 2)) & 0x3fff)
  if (version === 2) {
    const domain = bytes[9] as number
    result.set('id', Number(big(bytes, 0, 4))).set('domain', DOMAINS[domain] ?? `Domain${domain}`)
  }
  return result
}

const keyOf = (value: Value): string => (typeof value === 'string' ? value : display(value))

/** A random UUID; the same for the same key within one evaluation. In OPA any value is a key. */
function rfc4122(ctx: BuiltinContext, a: Value): Value {
  const key = ctx.dialect === 'opa-1.2' ? keyOf(a) : asString(a, 1)
  const bytes = Uint8Array.from(ctx.random.bytes(`uuid.rfc4122/${key}`, 16))
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  return toHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

export const uuidBuiltins: readonly Builtin[] = [
  { name: 'uuid.rfc4122', args: [STRING], result: STRING, nondeterministic: true, call: rfc4122 },
  {
    name: 'uuid.parse',
    args: [STRING],
    result: objectOf(STRING, ANY),
    call: (_, a: Value) => {
      const bytes = read(asString(a, 1))
      return bytes === undefined ? undefined : fields(bytes)
    },
  },
]
