import { type Static, type TSchema, Type } from '@sinclair/typebox'

/** A hex string as TypeScript type; the schemas below validate it. */
export type Hex = `0x${string}`

const hexType = (pattern: string, description: string) =>
  Type.Unsafe<Hex>(Type.String({ pattern, description }))

/**
 * Most compact hex: no leading zeros, zero is `0x0` (section 2.1, decision E5), at most 256 bits.
 */
export const Quantity = hexType(
  '^0x(0|[1-9a-fA-F][0-9a-fA-F]{0,63})$',
  'hex quantity without leading zeros, at most 256 bits',
)

/** Hex bytes, two digits per byte; empty is `0x` (section 2.1). */
export const Data = hexType(
  '^0x(?:[0-9a-fA-F]{2})*$',
  'hex bytes with 0x prefix and an even digit count',
)

/** Schema keyword for hex to which the gateway adds a missing `0x`. */
export const bareHexKeyword = 'x-bare-hex'

/**
 * As `Data`, but `0x` is optional (decision E4): for `intent_signature` of every method that has
 * it, and for `quorum_number` and `wasm_args` of the two task methods.
 */
export const LenientData = Type.String({
  pattern: '^(?:0x)?(?:[0-9a-fA-F]{2})*$',
  description: 'hex bytes with an even digit count, 0x prefix optional',
  [bareHexKeyword]: true,
})

/** One byte per quorum, at most 256 quorums. */
export const LenientQuorumNumbers = Type.String({ ...LenientData, maxLength: 2 + 2 * 256 })

/** Hex digits including `0x`, up to 64 KiB (decisions, section 9). */
const wasmArgsLength = 2 + 2 * 64 * 1024

/** `wasm_args` with optional and with required `0x` (section 2.1, decision E4). */
export const LenientWasmArgs = Type.String({ ...LenientData, maxLength: wasmArgsLength })
export const WasmArgs = Type.Unsafe<Hex>(Type.String({ ...Data, maxLength: wasmArgsLength }))

export const Address = hexType('^0x[0-9a-fA-F]{40}$', '20-byte hex address with 0x prefix')
export const Bytes32 = hexType('^0x[0-9a-fA-F]{64}$', '32 bytes as hex with 0x prefix')

/** A chain id: a Quantity or, as section 4.4 shows one, a plain decimal string (decision E5). */
export const ChainId = Type.String({
  pattern: '^(0x(0|[1-9a-fA-F][0-9a-fA-F]{0,15})|0|[1-9][0-9]{0,19})$',
  description: 'chain id as hex quantity or decimal string',
})

/** The same where section 4 says Number. */
export const NumericChainId = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'chain id',
})

/** A sealed envelope as one string, at most 256 KiB (decision K1; decisions, section 9). */
export const Envelope = Type.String({ minLength: 2, maxLength: 256 * 1024 })

export const UnixSeconds = Type.Integer({ minimum: 0, description: 'unix seconds' })
export const BlockNumber = Type.Integer({ minimum: 0, description: 'block number' })

/** `null` means absent in results. */
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

export type Quantity = Static<typeof Quantity>
export type Data = Static<typeof Data>
export type Address = Static<typeof Address>
export type Bytes32 = Static<typeof Bytes32>
