import { transpiledDirectory } from 'polgate-local/chainImage.ts'
import { OracleError } from 'polgate-service/oracles/oracleError.ts'
import { createOracleHost } from 'polgate-service/oracles/oracleHost.ts'
import { CommandError } from '../commandDefinition.ts'
import type { PackageContents } from './packageContents.ts'

/**
 * Checks that operators can load the components of oracles, and puts them into the cache that they share with this
 * process.
 *
 * @param known content ids that were checked; new ones are added
 * @throws CommandError
 */
export async function checkComponents(
  { oracles }: PackageContents,
  {
    witPackage,
    known = new Set(),
    signal = new AbortController().signal,
  }: {
    readonly witPackage: string
    readonly known?: Set<string>
    readonly signal?: AbortSignal
  },
): Promise<void> {
  const unknown = oracles.filter(({ component }) => !known.has(component.cid))
  if (unknown.length === 0) return
  const host = createOracleHost({
    ...{ cacheDir: transpiledDirectory, brand: witPackage, maxWorkers: 1 },
    ...{ prepareAhead: false, clock: { now: Date.now } },
  })
  try {
    for (const { id, component } of unknown) {
      const { cid, bytes } = component
      await host.load(bytes, { cid, label: `oracle ${id}`, signal }).catch((cause: Error) => {
        signal.throwIfAborted()
        const reason = cause instanceof OracleError ? cause.details : cause.message
        throw new CommandError(`oracle ${id} cannot be loaded: ${reason}`, {
          hint: `No operator could run it. The host interface is ${witPackage}: polgate policy import gives an oracle these names.`,
          cause,
        })
      })
      known.add(cid)
    }
  } finally {
    await host.close()
  }
}
