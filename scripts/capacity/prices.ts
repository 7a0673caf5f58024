import { readFileSync } from 'node:fs'
import { defaultPrices } from './defaultPrices.ts'

export type Prices = { readonly [Name in keyof typeof defaultPrices]: number }

/** The default prices, with those of a JSON file instead of some of them. @throws Error */
export function readPrices(file: string | undefined): Prices {
  if (file === undefined) return defaultPrices
  const given = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(defaultPrices, name)) throw new Error(`unknown price: ${name}`)
    if (typeof value !== 'number' || !(value >= 0))
      throw new Error(`the price ${name} must be a number that is not negative`)
  }
  return { ...defaultPrices, ...(given as Partial<Prices>) }
}

export type Cost = {
  readonly computing: number
  readonly database: number
  readonly storagePerMonth: number
  readonly network: number
  /** Of posting each result, and of one commitment a block, on the cheaper and the dearer chain. */
  readonly gasMainChain: number
  readonly gasRollup: number
  readonly commitmentsMainChain: number
}

/** Of a million tasks, in the currency of the prices. */
export function costPerMillion(options: {
  readonly prices: Prices
  readonly rate: number
  readonly cores: number
  readonly databaseCores: number
  readonly storedBytesPerTask: number
  readonly networkBytesPerTask: number
  readonly gasPerTask: number
  readonly commitmentGas: number
  readonly commitmentsPerSecond: number
}): Cost {
  const { prices, rate } = options
  const tasks = 1e6
  const hours = tasks / rate / 3600
  const gigabytes = (bytes: number) => (bytes * tasks) / 1e9
  const gas = (total: number, gwei: number) => total * gwei * 1e-9 * prices.nativeToken
  return {
    computing: options.cores * hours * prices.coreHour,
    database: options.databaseCores * hours * prices.databaseCoreHour,
    storagePerMonth: gigabytes(options.storedBytesPerTask) * prices.storageGigabyteMonth,
    network: gigabytes(options.networkBytesPerTask) * prices.networkGigabyte,
    gasMainChain: gas(options.gasPerTask * tasks, prices.mainChainGwei),
    gasRollup: gas(options.gasPerTask * tasks, prices.rollupGwei),
    commitmentsMainChain: gas(
      options.commitmentGas * options.commitmentsPerSecond * (tasks / rate),
      prices.mainChainGwei,
    ),
  }
}
