/**
 * Assumed prices, in one currency; no offer of anybody. A JSON file with some of these members
 * replaces them (`--prices`).
 */
export const defaultPrices = {
  /** A core of a machine for gateways, operators and the like, per hour. */
  coreHour: 0.04,
  /** A core of a database server with its replica and its disk operations, per hour. */
  databaseCoreHour: 0.12,
  /** Disk space with a replica, per month. */
  storageGigabyteMonth: 0.2,
  /** Traffic that leaves the site: responses to callers, requests to operators. */
  networkGigabyte: 0.05,
  /** A unit of gas, in billionths of the native token. */
  mainChainGwei: 1,
  rollupGwei: 0.01,
  /** The native token of the chains. */
  nativeToken: 3_000,
} as const
