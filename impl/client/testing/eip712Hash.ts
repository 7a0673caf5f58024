import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Hex } from '../hex.ts'

/** What `eip712Domain()` of a contract returns; the bits of `fields` say which members count. */
export type StatedDomain = {
  readonly fields: number
  readonly name: Uint8Array
  readonly version: Uint8Array
  readonly chainId: bigint
  readonly verifyingContract: Hex
  readonly salt: Hex
}

type HashedIntent = {
  readonly from: Hex
  readonly to: Hex
  readonly value: bigint
  readonly data: Uint8Array
  readonly chainId: bigint
  readonly functionSignature: Uint8Array
}

const word = (value: bigint) => hexToBytes(value.toString(16).padStart(64, '0'))
const address = (value: Hex) => word(BigInt(value))
const textHash = (text: string) => keccak_256(utf8ToBytes(text))

/**
 * The EIP-712 hash of an intent, written from EIP-712 and EIP-5267 alone: a contract hashes the bytes of its
 * name and version, and every member that `fields` names.
 */
export function eip712Hash(domain: StatedDomain, intent: HashedIntent): Hex {
  const members = [
    ['string name', keccak_256(domain.name)],
    ['string version', keccak_256(domain.version)],
    ['uint256 chainId', word(domain.chainId)],
    ['address verifyingContract', address(domain.verifyingContract)],
    ['bytes32 salt', hexToBytes(domain.salt.slice(2))],
  ] as const
  const present = members.filter((_, bit) => ((domain.fields >> bit) & 1) === 1)
  const separator = keccak_256(
    concatBytes(
      textHash(`EIP712Domain(${present.map(([type]) => type).join(',')})`),
      ...present.map(([, value]) => value),
    ),
  )
  const struct = keccak_256(
    concatBytes(
      textHash(
        'Intent(address from,address to,uint256 value,bytes data,uint256 chainId,bytes functionSignature)',
      ),
      address(intent.from),
      address(intent.to),
      word(intent.value),
      keccak_256(intent.data),
      word(intent.chainId),
      keccak_256(intent.functionSignature),
    ),
  )
  const hash = keccak_256(concatBytes(Uint8Array.of(0x19, 0x01), separator, struct))
  return `0x${bytesToHex(hash)}`
}
