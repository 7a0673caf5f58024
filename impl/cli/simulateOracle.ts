import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OracleError } from '../oracles/oracleError.ts'
import { simulatePolicyData } from '../oracles/simulatePolicyData.ts'
import { defaultBrand } from '../protocol/brand.ts'
import { systemClock } from '../protocol/clock.ts'
import type { SimulateOptions } from './policyData.ts'
import { CommandError } from './verb.ts'

/** Prints the output on stdout; exit 1 when the oracle fails. */
export async function simulateOracle(options: SimulateOptions): Promise<void> {
  const component = await read(options.wasmFile)
  const secrets =
    options.secretsFile === undefined ? {} : { secrets: await read(options.secretsFile) }
  try {
    const { output } = await simulatePolicyData(component, options.inputJson, {
      clock: { now: systemClock },
      cacheDir: join(import.meta.dirname, '../../.cache/transpiled'),
      brand: defaultBrand.witPackage,
      egress: { allowedHosts: options.allowHost },
      ...secrets,
    })
    console.log(output)
  } catch (error) {
    if (!(error instanceof OracleError)) throw error
    throw new CommandError(error.message, { exitCode: 1 })
  }
}

const read = (path: string): Promise<Uint8Array> =>
  readFile(path).catch((cause) => {
    throw new CommandError(`${path} cannot be read`, { hint: 'Is the path right?', cause })
  })
