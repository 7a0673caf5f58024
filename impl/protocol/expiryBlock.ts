/** Block numbers are uint32 on chain. */
const lastBlock = 2 ** 32 - 1

/**
 * The block from which something that was valid for `expireAfter` blocks is expired. A sum beyond the
 * last block number is the last block number, as in the contracts.
 */
export const expiryBlock = (referenceBlock: number, expireAfter: number): number =>
  Math.min(referenceBlock + expireAfter, lastBlock)
