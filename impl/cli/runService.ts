import { createService } from '../service.ts'
import { withDatabaseUrl } from './databaseUrl.ts'
import { readConfig } from './readConfig.ts'
import { endingSignal } from './signals.ts'

/** `svc serve`: prints one line of JSON when it takes requests. */
export async function runService(path: string): Promise<never> {
  const ending = endingSignal()
  const service = await createService(withDatabaseUrl(await readConfig(path)))
  const { gatewayUrl, explorerUrl, adminUrl } = service
  const places = { gatewayUrl, explorerUrl, adminUrl, pid: process.pid }
  process.stdout.write(`${JSON.stringify(places)}\n`)
  await ending
  await service.close()
  process.exit(0)
}
