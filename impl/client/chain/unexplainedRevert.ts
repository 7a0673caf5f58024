import { type Client, type Hex, hexToString, slice, toFunctionSelector } from 'viem'
import { AttestationRefusedError, ContractError, NotSpendableError } from '../errors/chainErrors.ts'
import type { ClientError } from '../errors/clientError.ts'
import { policyClientAbi } from '../generated/contractAbis.ts'
import type { TaskSuccess } from '../tasks/taskOutcome.ts'
import { deployedFunction, fitsSignature } from './deployedFunction.ts'

type Call = {
  readonly result: TaskSuccess
  /** Of the policy client. */
  readonly functionName: string
  readonly metaMessages: readonly string[]
}

/**
 * Names the cause of a failed spending call that reverted without saying one, from the deployed code: no
 * such function, or calldata that does not fit. Any other error is returned as it is.
 */
export async function unexplainedRevert(
  chain: Client,
  call: Call,
  error: ClientError,
): Promise<ClientError> {
  if (!(error instanceof ContractError || error instanceof AttestationRefusedError)) return error
  const found =
    error.errorName === undefined
      ? await clientProblem(chain, call).catch(() => undefined)
      : error.errorName === 'IntentFailed' && error.args[0] === '0x'
        ? await targetProblem(chain, call).catch(() => undefined)
        : undefined
  if (found === undefined) return error
  const { metaMessages } = call
  return new NotSpendableError(found.problem, found.hint, { metaMessages, cause: error })
}

type Problem = { readonly problem: string; readonly hint: string }

async function clientProblem(chain: Client, call: Call): Promise<Problem | undefined> {
  const { policyClient } = call.result.task
  const [spend] = policyClientAbi
  const selector = toFunctionSelector({ ...spend, name: call.functionName })
  if (await deployedFunction(chain, policyClient, selector)) return undefined
  return {
    problem: `The policy client ${policyClient} has no function ${call.functionName}(task, response, signatureData).`,
    hint: 'Name the function of the client that spends attestations. One of that name with other arguments cannot be called.',
  }
}

async function targetProblem(chain: Client, { result }: Call): Promise<Problem | undefined> {
  const { to, data, functionSignature } = result.task.intent
  if (data.length < 10) return undefined
  const signature = hexToString(functionSignature as Hex)
  if (signature !== '' && !fitsSignature(data as Hex, signature))
    return {
      problem: `The data of the intent does not have the arguments of ${signature}.`,
      hint: 'Encode the data with that signature, and create the task again.',
    }
  const selector = slice(data as Hex, 0, 4)
  if (await deployedFunction(chain, to as Hex, selector)) return undefined
  return {
    problem: `The target ${to} of the intent has no function ${signature || selector}.`,
    hint: 'Check the target and the signature, and create the task again.',
  }
}
