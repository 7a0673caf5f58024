import { randomBytes } from 'node:crypto'
import type { SwitchableOperator } from 'polgate-service/operators/switchableOperator.ts'
import type { ServiceConfigInput } from 'polgate-service/serviceConfig.ts'
import type { OperatorSwitch } from './control.ts'
import { devEncryptionKeys, devOperators } from './devKeys.ts'
import { type OperatorProcess, startOperatorProcess } from './operatorProcess.ts'
import { devMembers } from './thresholdStack.ts'

type Running = OperatorProcess & { readonly token: string }

/** The four operators as separate processes, with the contents of the stack. */
export const startOperators = (config: ServiceConfigInput): Promise<Running[]> =>
  Promise.all(
    devOperators.map(async ({ address, blsKey, thresholdKey }) => {
      const token = randomBytes(24).toString('base64url')
      const operator = await startOperatorProcess({
        token,
        address,
        blsKey,
        secretsKey: devEncryptionKeys.secrets,
        chainId: config.chain?.chainId,
        chain: { rpcUrl: config.chain?.rpcUrl, taskManager: config.chain?.taskManager },
        content: config.content,
        oracles: config.oracles,
        telemetry: config.telemetry,
        ...(config.threshold === undefined
          ? {}
          : {
              threshold: {
                key: thresholdKey,
                members: devMembers(),
                needed: config.threshold.needed,
                directory: config.threshold.directory,
                openings: config.threshold.openings,
              },
            }),
      })
      return Object.assign(operator, { token })
    }),
  )

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
