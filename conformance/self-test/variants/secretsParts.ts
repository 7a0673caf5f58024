import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import type { TaskChain } from 'polgate-service/tasks/taskChain.ts'
import { changedAnswer, type Json } from '../mutants/wrappedListeners.ts'
import { composedParts } from './variant.ts'

/** What other choices for secrets have in common. */

const unmarked = () => undefined

/** Failures of a method as a result without success; `as` gives its text, or undefined. */
export const asResult = (name: string, as: (message: string) => string | undefined) => () =>
  changedAnswer(name, (answer) => {
    const text = as(String(answer?.error?.message))
    return answer?.error?.code !== errorCode.invalidParams || text === undefined
      ? answer
      : { jsonrpc: answer.jsonrpc, result: { success: false, error: text }, id: answer.id }
  })(unmarked)

/** Failures of a method as an error object. */
export const asError = (name: string, says: RegExp, code: number) => () =>
  changedAnswer(name, (answer) => {
    const message = answer?.result?.success === false ? String(answer.result.error) : ''
    return says.test(message)
      ? { jsonrpc: answer.jsonrpc, error: { code, message }, id: answer.id }
      : answer
  })(unmarked)

/** An envelope that was sealed for another recipient, client or chain, or changed. */
export const doesNotOpen = /envelope( (was sealed|does not open)|\.(policy_client|chain_id) is)/

/** The JSON object in a text; undefined for anything else. */
export function objectOf(text: unknown): Json {
  try {
    const value = JSON.parse(String(text))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Parts that read the chain. */
export const knowingChain =
  (parts: (chain: () => TaskChain) => ServiceParts) => (): ServiceParts => {
    let chain: TaskChain | undefined
    const known: ServiceParts = {
      chain: (own) => {
        chain = own
        return own
      },
    }
    return composedParts([known, parts(() => chain!)])
  }

/** Whether the policy of a client lists a PolicyData; undefined for what is not a client. */
export async function isListed(chain: TaskChain, client: Address, data: Address) {
  const context = await chain.clientContext(client).catch(() => undefined)
  const lower = data.toLowerCase()
  return context?.policyData.some((each) => each.policyDataAddress.toLowerCase() === lower)
}

export const notUsed = (client: Address, data: Address) =>
  `policy client ${client} does not use policy data ${data}`
