import { contentIdOf } from '../content/contentId.ts'
import { createOracleHost, type OracleHostOptions, type OracleResult } from './oracleHost.ts'

/**
 * One run of a component that is at hand, outside any service: what `policy-data simulate` of the
 * command line does (section 1).
 *
 * @param input the value of `--input-json`
 * @returns the oracle's answer and the content id that its component has
 * @throws OracleError
 */
export async function simulatePolicyData(
  component: Uint8Array,
  input: string,
  options: OracleHostOptions & { secrets?: Uint8Array; signal?: AbortSignal },
): Promise<OracleResult & { cid: string }> {
  const { secrets, signal, ...hostOptions } = options
  const host = createOracleHost({ maxWorkers: 1, ...hostOptions })
  try {
    const cid = contentIdOf(component)
    await host.load(component, { cid, label: 'the given file' })
    return { cid, ...(await host.run({ cid, input, secrets, signal })) }
  } finally {
    await host.close()
  }
}
