import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { BuiltinError } from '../errors.ts'
import type { Value } from '../values/value.ts'
import type { Builtin } from './builtin.ts'
import { bytesIn } from './bytes.ts'
import { fatal, text } from './extensionErrors.ts'
import { confidentialExtensions } from './private/confidential.ts'
import { identityExtensions } from './private/identity.ts'
import { STRING } from './types.ts'

function bytesOfHex(hex: string): Uint8Array {
  const digits = hex.replace(/^0x/i, '')
  if (digits.length % 2 === 1 || !/^[0-9a-fA-F]*$/.test(digits)) throw fatal('invalid hex')
  return hexToBytes(digits)
}

/** The checksummed address (EIP-55). */
function checksummed(address: Uint8Array): string {
  const digits = bytesToHex(address)
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)))
  const mixed = [...digits].map((digit, i) =>
    Number.parseInt(hash.charAt(i), 16) >= 8 ? digit.toUpperCase() : digit,
  )
  return `0x${mixed.join('')}`
}

const HALF_ORDER = secp256k1.Point.Fn.ORDER / 2n

/**
 * Recovers the address that signed a hash from r, s and v.
 *
 * @throws BuiltinError, fatal, with the messages of decision R13
 */
function recover(signatureHex: string, hash: Uint8Array): string {
  const signature = bytesOfHex(signatureHex)
  if (signature.length !== 65) throw fatal(`signature must be 65 bytes, got ${signature.length}`)
  if (hash.length !== 32) throw fatal(`message_hash must be 32 bytes, got ${hash.length}`)
  const v = signature[64] as number
  const recovery = v >= 27 ? v - 27 : v
  if (recovery !== 0 && recovery !== 1) throw fatal('invalid recovery id')
  try {
    const compact = secp256k1.Signature.fromBytes(signature.subarray(0, 64), 'compact')
    if (compact.s > HALF_ORDER) throw fatal('failed to recover public key')
    const point = compact.addRecoveryBit(recovery).recoverPublicKey(hash)
    const key = point.toBytes(false).subarray(1)
    return checksummed(keccak_256(key).subarray(12))
  } catch (error) {
    if (error instanceof BuiltinError) throw error
    throw new BuiltinError('failed to recover public key', 'eval_builtin_error', {
      fatal: true,
      cause: error,
    })
  }
}

/** The hash that wallets sign for a message (EIP-191), with its length in bytes. */
function personalHash(message: string): Uint8Array {
  const bytes = bytesIn(message)
  const prefix = utf8ToBytes(`\x19Ethereum Signed Message:\n${bytes.length}`)
  return keccak_256(concatBytes(prefix, bytes))
}

const RECOVERY_UNITS = 2_000

/** The extensions of the service, under a prefix that a deployment may brand (decision E13). */
export const serviceExtensions = (prefix = 'service'): readonly Builtin[] => [
  {
    name: `${prefix}.crypto.ecdsa_recover_signer`,
    args: [STRING, STRING],
    result: STRING,
    call: (ctx, a: Value, b: Value) => {
      ctx.meter.charge(RECOVERY_UNITS)
      const [signature, hash] = [text(a, 1), text(b, 2)]
      return recover(signature, bytesOfHex(hash))
    },
  },
  {
    name: `${prefix}.crypto.ecdsa_recover_signer_personal`,
    args: [STRING, STRING],
    result: STRING,
    call: (ctx, a: Value, b: Value) => {
      const [signature, message] = [text(a, 1), text(b, 2)]
      ctx.meter.charge(RECOVERY_UNITS + message.length / 8)
      ctx.meter.allocate(4 * message.length)
      return recover(signature, personalHash(message))
    },
  },
  ...identityExtensions(prefix),
  ...confidentialExtensions(prefix),
]
