import { readContainer } from 'polgate-service/snapshot/readContainer.ts'
import { SnapshotError } from 'polgate-service/snapshot/snapshotError.ts'
import { verifySnapshot } from 'polgate-service/snapshot/verifySnapshot.ts'
import { CommandError } from '../verb.ts'
import { describeSnapshot } from './describeSnapshot.ts'

export type ShowOptions = { readonly check?: boolean; readonly json?: boolean }

/** `svc snapshot show FILE`: its beginning, or with `--check` all of it. */
export async function showSnapshot(file: string, { check, json }: ShowOptions): Promise<void> {
  const reader = await readContainer(file)
  reader.close()
  const { manifest } = reader
  const found = check ? await verifySnapshot(file).catch(exitOne) : undefined
  if (json) return console.log(JSON.stringify({ ...manifest, ...found }))
  console.log(describeSnapshot(manifest, found).join('\n'))
  if (found !== undefined) console.log('whole: every part is as it was written')
}

/** The answer to "is it whole" is no: the command itself could run. */
function exitOne(error: unknown): never {
  if (!(error instanceof SnapshotError) || error.code !== 'damaged') throw error
  const { message, hint } = error
  throw new CommandError(message, { hint, exitCode: 1, cause: error })
}
