import fc from 'fast-check'
import { encodeAbiParameters, type Hex, toFunctionSelector, toHex } from 'viem'

/** An intent as sent (section 2.2). */
export type Intent = {
  readonly from: Hex
  readonly to: Hex
  readonly value: Hex
  readonly data: Hex
  readonly chain_id: Hex
  readonly function_signature: Hex
}

const hexBytes = (length: number) =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`)

/** Any address, in lower, upper or mixed case: all are the same address. */
export const anyAddress = (): fc.Arbitrary<Hex> =>
  fc
    .tuple(hexBytes(20), fc.constantFrom('lower', 'upper'))
    .map(([hex, letters]): Hex => (letters === 'lower' ? hex : `0x${hex.slice(2).toUpperCase()}`))

/** Wei as a Quantity: small, large, and the limits of 256 bits. */
export const anyValue = (): fc.Arbitrary<Hex> =>
  fc
    .oneof(
      fc.bigInt({ min: 0n, max: 10n ** 19n }),
      fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
      fc.constantFrom(0n, 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 256n - 1n),
    )
    .map((value) => toHex(value))

type Call = { readonly data: Hex; readonly function_signature: Hex }

const noCall = fc.constant<Call>({ data: '0x', function_signature: '0x' })

const calls: fc.Arbitrary<Call> = fc
  .tuple(
    fc.constantFrom(
      'transfer(address to,uint256 amount)',
      'approve(address,uint256)',
      'mint(address account, uint256 id)',
    ),
    hexBytes(20),
    fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  )
  .map(([signature, account, amount]) => {
    const name = signature.slice(0, signature.indexOf('('))
    const selector = toFunctionSelector(`function ${name}(address,uint256)`)
    const encoded = encodeAbiParameters(
      [{ type: 'address' }, { type: 'uint256' }],
      [account, amount],
    )
    return { data: `${selector}${encoded.slice(2)}`, function_signature: toHex(signature) }
  })

/** Any intent of a chain: transfers and calls, any parties, any value. */
export const anyIntent = (chainId: number): fc.Arbitrary<Intent> =>
  fc
    .record({
      from: anyAddress(),
      to: anyAddress(),
      value: anyValue(),
      call: fc.oneof(noCall, calls),
    })
    .map(({ call, ...rest }) => ({ ...rest, ...call, chain_id: toHex(chainId) }))
