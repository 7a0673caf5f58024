import { randomBytes } from 'node:crypto'
import type { Address } from 'polgate-protocol/scalars.ts'
import type { SwitchableOperator } from 'polgate-service/operators/switchableOperator.ts'
import type { ServiceConfigInput } from 'polgate-service/serviceConfig.ts'
import { devEncryptionKeys, devOperators } from './devKeys.ts'
import { type OperatorProcess, startOperatorProcess } from './operatorProcess.ts'
import type { OperatorSwitch } from './operatorSwitch.ts'
import { devMembers } from './thresholdStack.ts'

type Running = OperatorProcess & { readonly token: string; readonly address: Address }

/** The keys of an operator; `thresholdKey` where the configuration has threshold decryption. */
type OperatorKeys = {
  readonly address: Address
  readonly blsKey: string
  readonly thresholdKey?: string
}

/** An operator as a separate process, with the contents of the service. */
export async function startOperator(
  { brand, chain, content, oracles, telemetry, threshold }: ServiceConfigInput,
  { address, blsKey, thresholdKey }: OperatorKeys,
): Promise<Running> {
  const token = randomBytes(24).toString('base64url')
  const operator = await startOperatorProcess({
    token,
    address,
    blsKey,
    secretsKey: devEncryptionKeys.secrets,
    chainId: chain?.chainId,
    chain: {
      rpcUrl: chain?.rpcUrl,
      taskManager: chain?.taskManager,
      identityRegistry: chain?.identityRegistry,
      confidentialDataRegistry: chain?.confidentialDataRegistry,
    },
    brand,
    content,
    oracles,
    telemetry,
    ...(threshold === undefined
      ? {}
      : {
          threshold: {
            key: thresholdKey,
            members: devMembers(),
            needed: threshold.needed,
            directory: threshold.directory,
            openings: threshold.openings,
            resharing: threshold.resharing,
          },
        }),
  })
  return Object.assign(operator, { token, address })
}

/** The four operators of the stack. */
export const startOperators = (config: ServiceConfigInput): Promise<Running[]> =>
  Promise.all(devOperators.map((operator) => startOperator(config, operator)))

/** The configuration with these processes instead of in-process operators. */
export const withOperators = (
  config: ServiceConfigInput,
  processes: readonly Running[] | undefined,
): ServiceConfigInput =>
  processes === undefined
    ? config
    : {
        ...config,
        operators: processes.map(({ url, id, token }, at) => ({
          kind: 'remote',
          address: devOperators[at]!.address,
          id,
          url,
          token,
          ...(config.threshold === undefined
            ? {}
            : { thresholdPublicKey: devMembers()[at]!.publicKey }),
        })),
      }

/** Stopping kills the process. */
export const switchOf = (
  { address, id }: SwitchableOperator,
  operator: OperatorProcess,
): OperatorSwitch => ({
  address,
  id,
  get running() {
    return operator.running
  },
  get pid() {
    return operator.pid
  },
  stop: () => operator.stop(),
  start: () => operator.start(),
})
