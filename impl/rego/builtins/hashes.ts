import { digestOf, type HashName, hmacOf } from '#hashing'
import { toHex } from '#platform'
import type { Value } from '../values/value.ts'
import type { Builtin } from './builtin.ts'
import { bytesIn } from './bytes.ts'
import { asString } from './operands.ts'
import { BOOLEAN, STRING } from './types.ts'

const hash = (algorithm: HashName): Builtin => ({
  name: `crypto.${algorithm}`,
  args: [STRING],
  result: STRING,
  call: (ctx, a: Value) => {
    const text = asString(a, 1)
    ctx.meter.charge(8 + text.length / 16)
    return toHex(digestOf(algorithm, bytesIn(text)))
  },
})

const hmac = (algorithm: HashName): Builtin => ({
  name: `crypto.hmac.${algorithm}`,
  args: [STRING, STRING],
  result: STRING,
  call: (ctx, a: Value, b: Value) => {
    const [text, key] = [asString(a, 1), asString(b, 2)]
    ctx.meter.charge(16 + (text.length + key.length) / 16)
    return toHex(hmacOf(algorithm, bytesIn(key), bytesIn(text)))
  },
})

/** Takes the same time for all texts of one length. */
function isEqual(a: string, b: string): boolean {
  const [x, y] = [bytesIn(a), bytesIn(b)]
  let difference = x.length ^ y.length
  for (let i = 0; i < x.length; i++) difference |= (x[i] as number) ^ (y[i] ?? 0)
  return difference === 0
}

export const hashBuiltins: readonly Builtin[] = [
  hash('md5'),
  hash('sha1'),
  hash('sha256'),
  hmac('md5'),
  hmac('sha1'),
  hmac('sha256'),
  hmac('sha512'),
  {
    name: 'crypto.hmac.equal',
    args: [STRING, STRING],
    result: BOOLEAN,
    call: (ctx, a: Value, b: Value) => {
      const [x, y] = [asString(a, 1), asString(b, 2)]
      ctx.meter.charge(1 + x.length / 16)
      return isEqual(x, y)
    },
  },
]
