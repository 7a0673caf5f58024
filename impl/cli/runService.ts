import { createService } from '../service.ts'
import { readConfig } from './readConfig.ts'
import { endingSignal } from './signals.ts'

/** `svc serve`: prints one line of JSON when it takes requests. */
export async function runService(path: string): Promise<never> {
  const ending = endingSignal()
  const service = await createService(await readConfig(path))
  const { gatewayUrl, adminUrl } = service
  process.stdout.write(`${JSON.stringify({ gatewayUrl, adminUrl, pid: process.pid })}\n`)
  await ending
  await service.close()
  process.exit(0)
}
