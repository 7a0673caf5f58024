import { expectThat } from '../../core/expect.ts'

/** The last block number of a contract: they are uint32. */
const lastBlock = 2 ** 32 - 1

/**
 * `expiration` is reference_block plus expireAfter (section 2.5). Beyond the last block number,
 * both the sum and that number are accepted.
 */
export function expectExpiration(
  expiration: unknown,
  referenceBlock: number,
  expireAfter: number,
): void {
  const sum = referenceBlock + expireAfter
  const right = expiration === sum || (sum > lastBlock && expiration === lastBlock)
  expectThat(right, 'expiration', sum, expiration)
}
