import { ClientError, type ServiceClient } from 'polgate-client/index.ts'
import type { LatestTask } from 'polgate-protocol/control/latestTask.ts'
import { stringToHex } from 'viem'
import type { PolicyPackage } from '../package/policyPackage.ts'
import {
  changed,
  packageArguments,
  readIntent,
  sharedArguments,
  usualIntent,
} from '../package/resolvedCase.ts'
import { loadCases, type PlacedCase } from '../policy/test/loadCases.ts'
import { chainOf, type ServiceTarget } from '../stack/serviceTarget.ts'
import type { Decision, DevEvent } from './devEvents.ts'

type Simulated = Parameters<ServiceClient['simulateTask']>[0]

/** What is evaluated again after a change. */
export type LastIntent = {
  readonly about: (DevEvent & { readonly event: 'decision' })['intent']
  readonly asked: Simulated
}

const withinMs = 10_000

/**
 * The intent of the latest task of a client, from any sender; else of the first case that allows, without
 * parameters or mocks of its own where there is one; else of the intent file. Undefined if there is none.
 *
 * @throws CommandError if a file cannot be read
 */
export async function lastIntent(
  target: ServiceTarget,
  policyClient: `0x${string}`,
  given: PolicyPackage,
): Promise<LastIntent | undefined> {
  const task = await latestTask(target, policyClient)
  if (task !== undefined) {
    const { taskId, intent, intentSignature, wasmArgs } = task
    return {
      about: { from: 'task', name: taskId },
      asked: {
        policy_client: policyClient,
        intent: intent as Simulated['intent'],
        ...(intentSignature === undefined ? {} : { intent_signature: hexOf(intentSignature) }),
        ...(wasmArgs === undefined ? {} : { wasm_args: hexOf(wasmArgs) }),
      },
    }
  }
  const found = await firstAllowed(given)
  if (found === undefined && given.intent === undefined) return undefined
  const { chainId } = chainOf(target)
  const named = changed(await readIntent(given.intent), found?.intent)
  const intent = { ...usualIntent(chainId), ...named }
  const args = sharedArguments(packageArguments(given.oracles, found?.wasmArgs))
  return {
    about:
      found === undefined
        ? { from: 'file', name: given.intent! }
        : { from: 'case', name: found.name },
    asked: {
      policy_client: policyClient,
      intent: intent as unknown as Simulated['intent'],
      ...(found?.intentSignature === undefined
        ? {}
        : { intent_signature: hexOf(found.intentSignature) }),
      ...(args === '' ? {} : { wasm_args: stringToHex(args) }),
    },
  }
}

const hexOf = (text: string) => text as `0x${string}`

async function latestTask(
  { controlUrl }: ServiceTarget,
  policyClient: string,
): Promise<LatestTask | undefined> {
  if (controlUrl === undefined) return undefined
  const response = await fetch(`${controlUrl}/clients/${policyClient}/latest-task`, {
    signal: AbortSignal.timeout(withinMs),
  }).catch(() => undefined)
  if (response?.ok === true) return (await response.json()) as LatestTask
  await response?.body?.cancel()
  return undefined
}

async function firstAllowed(given: PolicyPackage): Promise<PlacedCase | undefined> {
  if (given.cases === undefined) return undefined
  const allowing = (await loadCases(given.cases, given)).filter(({ expect }) => expect === 'allow')
  return (
    allowing.find(({ params, mocks }) => params === undefined && mocks === undefined) ?? allowing[0]
  )
}

/** What the next task with this intent is decided, as one operator sees it now. */
export async function decisionOf(
  client: ServiceClient,
  { asked }: LastIntent,
  signal: AbortSignal,
): Promise<Decision> {
  try {
    const { result } = await client.simulateTask(asked, { signal })
    // Only `true`, as a boolean or a string, allows (section 7.5, decision T11).
    const allow = result.allow === true || result.allow === 'true'
    return { decision: allow ? 'allow' : 'deny', reason: allow ? '' : result.reason, error: null }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof ClientError)) throw error
    const { shortMessage, details } = error
    return { decision: 'fails', reason: '', error: [shortMessage, details ?? ''].join(' ').trim() }
  }
}
