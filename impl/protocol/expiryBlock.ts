/** The longest that an attestation may be valid, in blocks: `MAX_EXPIRE_AFTER` of Policy (decision C10). */
export const maxExpireAfter = 50_400

/** Block numbers are uint32 on chain. */
const lastBlock = 2 ** 32 - 1

/**
 * The first block at which something valid for `expireAfter` blocks is expired, capped at the last
 * block number as in the contracts.
 */
export const expiryBlock = (referenceBlock: number, expireAfter: number): number =>
  Math.min(referenceBlock + expireAfter, lastBlock)
