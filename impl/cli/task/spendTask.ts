import { spendAttestation, taskDecision } from 'polgate-client/index.ts'
import { createWalletClient, formatEther, http, isHex } from 'viem'
import { CommandError } from '../commandDefinition.ts'
import { withClientErrors } from '../stack/asCommandFailure.ts'
import { clientOf, findTarget, viemChainOf } from '../stack/serviceTarget.ts'
import { accountOfAddress, accountOfKey } from '../stack/signingKey.ts'
import { detail } from '../verbosity.ts'
import { receiptEvents } from './receiptEvents.ts'
import { taskIdOf } from './taskId.ts'

export type SpendOptions = {
  readonly target?: string
  readonly json?: boolean
  readonly key?: string
  readonly function?: string
}

const pollingMs = 200

/** `polgate task spend`; exit code 1 where policy or contract refuse. @throws CommandError */
export async function spendTask(id: string, options: SpendOptions): Promise<void> {
  const taskId = taskIdOf(id)
  const { function: functionName } = options
  if (functionName !== undefined && !/^[A-Za-z_$][\w$]{0,99}$/.test(functionName))
    throw new CommandError('--function is not the name of a function', {
      hint: 'Use its name alone, as in --function executeIntent.',
    })
  const target = await findTarget(options.target)
  const given = options.key === undefined ? undefined : accountOfKey(target, options.key)
  const client = clientOf(target)
  const chain = viemChainOf(target)
  await withClientErrors(async () => {
    const result = await client.waitForTask({ taskId })
    const { from } = result.task.intent
    const account = given ?? accountOfAddress(target, from)
    if (account === undefined)
      throw new CommandError(`the key of the sender ${from} is not known`, {
        hint: 'Pass --key with the name of an environment variable that has it.',
      })
    detail(`spending as ${account.address}, decision ${JSON.stringify(taskDecision(result))}`)
    const transport = http()
    const walletClient = createWalletClient({
      ...{ account, chain, transport, pollingInterval: pollingMs },
    })
    const { hash, receipt, executed, returned } = await spendAttestation({
      ...{ walletClient, result, functionName },
    })
    const { blockNumber, gasUsed, effectiveGasPrice } = receipt
    const cost = formatEther(gasUsed * effectiveGasPrice)
    if (options.json) {
      const block = Number(blockNumber)
      const gas = Number(gasUsed)
      const events = receiptEvents(receipt.logs)
      console.log(
        JSON.stringify({
          ...{ taskId, hash, block, gas, cost },
          executed: executed ?? null,
          returned,
          events,
        }),
      )
      return
    }
    console.log(`spent     in block ${blockNumber} for ${gasUsed} gas, ${cost} ETH`)
    console.log(`hash      ${hash}`)
    if (executed === undefined)
      console.log(
        'executed  not known: the client emits no IntentExecuted event; these were emitted',
      )
    for (const event of executed ? [] : receiptEvents(receipt.logs))
      console.log(`event     ${event}`)
    if (executed && isHex(returned) && returned !== '0x') console.log(`returned  ${returned}`)
  })
}
