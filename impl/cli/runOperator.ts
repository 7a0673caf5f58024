import { type AroundRequest, createChainClient } from 'polgate-chain/client.ts'
import { startWithCleanup } from 'polgate-lib/async/cleanupStack.ts'
import { defaultBrand } from 'polgate-protocol/brand.ts'
import { systemClock } from 'polgate-protocol/clock.ts'
import { blsKey } from 'polgate-service/attestation/bls.ts'
import { loadEncryptionKey } from 'polgate-service/envelopes/encryptionKey.ts'
import {
  loadSecrets,
  type OperatorConfig,
  type OperatorSecrets,
  parseOperatorConfig,
} from 'polgate-service/operatorConfig.ts'
import { ownPrivateData } from 'polgate-service/operatorPrivateData.ts'
import { createChainView } from 'polgate-service/operators/chainView.ts'
import type { Operator } from 'polgate-service/operators/operator.ts'
import { openOperatorParts } from 'polgate-service/operators/operatorParts.ts'
import { serveOperator } from 'polgate-service/operators/operatorServer.ts'
import { createSignedResponses } from 'polgate-service/operators/signedResponses.ts'
import { verifyingOperator } from 'polgate-service/operators/verifyingOperator.ts'
import { openOperatorTelemetry } from 'polgate-service/operatorTelemetry.ts'
import { withTelemetryOf } from 'polgate-service/telemetry/openTelemetry.ts'
import { CommandError } from './commandDefinition.ts'
import { exit } from './exit.ts'
import { readConfig } from './readConfig.ts'
import { closeBeforeExit, endingSignal, parentGone } from './signals.ts'

export type OperatorOptions = { readonly config: string; readonly check?: boolean }

/**
 * `polgate operator`: prints one line of JSON when ready. On a signal, or when its parent process is gone,
 * it stops accepting calls and exits after those in flight have finished.
 */
export async function runOperator(options: OperatorOptions): Promise<void> {
  const ending = Promise.race([
    endingSignal(),
    parentGone(Number(process.env.SVC_PARENT_PID) || undefined).gone,
  ])
  const config = parseOperatorConfig(withTelemetryOf(await readConfig(options.config)))
  const secrets = await loadSecrets(config)
  if (options.check) return await check(config, secrets)
  const { token, secretsKey } = secrets
  const { listen, previousToken, bounds, chainId } = config
  const address = config.address as `0x${string}`
  warnOfPlainHttp(listen.host)
  const started = await startWithCleanup(async (cleanup) => {
    const telemetry = await openOperatorTelemetry(config, { warn: report, info: report })
    cleanup.defer(telemetry.close)
    const parts = await openOperatorParts({
      config,
      clock: systemClock,
      brand: { ...defaultBrand, ...config.brand },
      fetch: undefined,
      ...telemetry.parts,
    })
    cleanup.defer(parts.close)
    const { keyHolder, privateData } = ownPrivateData(config, secrets, {
      usesOf: parts.usesOf,
      around: telemetry.nodeCall,
    })
    const trusting = parts.operator({
      address,
      blsKey: secrets.blsKey,
      secretsKey: await loadEncryptionKey(secretsKey),
      ...{ chainId, privateData },
    })
    const operator =
      config.chain === undefined
        ? trusting
        : ownViewOf(config.chain, chainId, trusting, telemetry.nodeCall)
    const server = await serveOperator({
      ...{ operator, keyHolder, token, previousToken, bounds },
      around: telemetry.around,
      ...listen,
      clock: systemClock,
      onFault: (error) => process.stderr.write(faultText(error)),
    })
    cleanup.defer(server.close)
    return { url: server.url, id: operator.id, close: cleanup.close }
  })
  const { url, id } = started
  process.stdout.write(`${JSON.stringify({ url, address, id, pid: process.pid })}\n`)
  await ending
  await closeBeforeExit(started.close)
  return exit(0)
}

/** Prints the operator's address and id, which the gateway's configuration needs. */
async function check(config: OperatorConfig, secrets: OperatorSecrets): Promise<void> {
  const { address, chain, chainId } = config
  await loadEncryptionKey(secrets.secretsKey)
  const { operatorId: id } = blsKey(Buffer.from(secrets.blsKey.replace(/^0x/, ''), 'hex'))
  if (chain !== undefined) {
    const found = await createChainClient({ rpcUrl: chain.rpcUrl })
      .getChainId()
      .catch(() => undefined)
    if (found !== chainId) {
      const what =
        found === undefined ? 'is unreachable' : `is on chain ${found}, expected ${chainId}`
      throw new CommandError(`the node at chain.rpcUrl ${what}`, {
        hint: 'Check chain.rpcUrl and chainId.',
      })
    }
  }
  process.stdout.write(`${JSON.stringify({ address, id })}\n`)
}

function ownViewOf(
  { rpcUrl, taskManager, maxBlocksBehind, signedFile }: NonNullable<OperatorConfig['chain']>,
  chainId: number,
  operator: Operator,
  around: AroundRequest | undefined,
): Operator {
  const responses = createSignedResponses({ file: signedFile })
  process.once('exit', () => responses.close())
  return verifyingOperator(operator, {
    chain: createChainView({
      // Shorter than the timeout of a call, so that the gateway receives the cause.
      client: createChainClient({ rpcUrl, timeout: 5_000, around }),
      taskManager: taskManager as `0x${string}`,
      ...{ chainId, maxBlocksBehind },
    }),
    clock: systemClock,
    responses,
  })
}

/** A line about the export of traces. */
function report(fields: Record<string, unknown>, message: string): void {
  process.stderr.write(`${message} ${JSON.stringify(fields)}\n`)
}

/** The error's name and stack frames without its message, which may quote data of a task. */
function faultText(error: unknown): string {
  const { name, stack = '' } = error instanceof Error ? error : new Error()
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '))
  return `${[`fault: ${name}`, ...frames.slice(0, 8)].join('\n')}\n`
}

/** Requests are signed and secrets encrypted, but outputs of oracles are readable without TLS. */
function warnOfPlainHttp(host: string): void {
  if (/^(127\.|localhost$|::1$)/.test(host)) return
  process.stderr.write(
    `warning: this operator listens on ${host} without TLS; put a TLS proxy in front of it\n`,
  )
}
