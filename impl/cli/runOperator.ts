import { loadEncryptionKey } from '../envelopes/encryptionKey.ts'
import { openOperatorParts } from '../operators/operatorParts.ts'
import { serveOperator } from '../operators/operatorServer.ts'
import { keyHolderOf } from '../privacyKey.ts'
import { defaultBrand } from '../protocol/brand.ts'
import { systemClock } from '../protocol/clock.ts'
import { parseOperatorConfig } from '../serviceConfig.ts'
import { readConfig } from './readConfig.ts'
import { endingSignal, parentGone } from './signals.ts'

/** `svc operator`: prints one line of JSON when it is ready, and ends with its parent. */
export async function runOperator(path: string): Promise<never> {
  const config = parseOperatorConfig(await readConfig(path))
  const ending = Promise.race([endingSignal(), parentGone().gone])
  const parts = await openOperatorParts({
    config,
    clock: systemClock,
    brand: defaultBrand,
    fetch: undefined,
  })
  const operator = parts.operator({
    address: config.address as `0x${string}`,
    blsKey: config.blsKey,
    secretsKey: await loadEncryptionKey(config.secretsKey),
    chainId: config.chainId,
  })
  const keyHolder = config.threshold && keyHolderOf(config.address, config.threshold)
  const server = await serveOperator({
    operator,
    keyHolder,
    token: config.token,
    ...config.listen,
  })
  const { address, id } = operator
  process.stdout.write(`${JSON.stringify({ url: server.url, address, id, pid: process.pid })}\n`)
  await ending
  await server.close()
  await parts.close()
  process.exit(0)
}
