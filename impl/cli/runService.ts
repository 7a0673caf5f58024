import { createService, type Service } from 'polgate-service/service.ts'
import { withDatabaseUrl } from './databaseUrl.ts'
import { readConfig } from './readConfig.ts'
import { closeBeforeExit, endingSignal } from './signals.ts'

/** `polgate serve`: prints one line of JSON when it accepts requests. */
export const runService = (path: string): Promise<never> =>
  untilTold(async () => createService(withDatabaseUrl(await readConfig(path))))

/** `polgate serve --from-environment`. */
export const runInEnvironment = (): Promise<never> =>
  untilTold(async () => {
    const { readEnvironment, serveEnvironment } = await import('polgate-local/serveEnvironment.ts')
    return serveEnvironment(await readEnvironment(process.env))
  })

async function untilTold(start: () => Promise<Service>): Promise<never> {
  const ending = endingSignal()
  const service = await start()
  const { gatewayUrl, explorerUrl, adminUrl } = service
  const places = { gatewayUrl, explorerUrl, adminUrl, pid: process.pid }
  process.stdout.write(`${JSON.stringify(places)}\n`)
  await ending
  await closeBeforeExit(service.close)
  process.exit(0)
}
