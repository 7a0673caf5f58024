import { createIndexerService, indexerMembers } from 'polgate-service/indexerService.ts'
import { withDatabaseUrl } from './databaseUrl.ts'
import { readConfig } from './readConfig.ts'
import { closeBeforeExit, endingSignal } from './signals.ts'

/** `polgate indexer`: prints one line of JSON when ready, as writer or standby. */
export async function runIndexer(path: string): Promise<never> {
  const ending = endingSignal()
  const config = withDatabaseUrl(await readConfig(path, indexerMembers))
  const { chains, close } = await createIndexerService(config)
  process.stdout.write(`${JSON.stringify({ chains, pid: process.pid })}\n`)
  await ending
  await closeBeforeExit(close)
  process.exit(0)
}
