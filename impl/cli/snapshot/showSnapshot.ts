import { readContainer } from 'polgate-service/snapshot/readContainer.ts'
import { SnapshotError } from 'polgate-service/snapshot/snapshotError.ts'
import { verifySnapshot } from 'polgate-service/snapshot/verifySnapshot.ts'
import { CommandError } from '../commandDefinition.ts'
import { describeSnapshot } from './describeSnapshot.ts'

export type ShowOptions = { readonly check?: boolean; readonly json?: boolean }

/** `polgate snapshot show FILE`: prints the manifest; with `--check`, verifies the whole file. */
export async function showSnapshot(file: string, { check, json }: ShowOptions): Promise<void> {
  const reader = await readContainer(file)
  reader.close()
  const { manifest } = reader
  const found = check ? await verifySnapshot(file).catch(exitOne) : undefined
  if (json) return console.log(JSON.stringify({ ...manifest, ...found }))
  console.log(describeSnapshot(manifest, found).join('\n'))
  if (found !== undefined) console.log('verified: complete and undamaged')
}

/** Damage is the result of the check, so the exit code is 1. */
function exitOne(error: unknown): never {
  if (!(error instanceof SnapshotError) || error.code !== 'damaged') throw error
  const { message, hint } = error
  throw new CommandError(message, { hint, exitCode: 1, cause: error })
}
