import { taskDecision } from 'polgate-client/index.ts'
import { reasonsOf } from 'polgate-client/trace/taskTrace.ts'
import { printable } from 'polgate-conformance/core/printable.ts'
import { stringifyExact } from 'polgate-protocol/exactJson.ts'
import { colours } from '../colours.ts'
import { CommandError } from '../commandDefinition.ts'
import { readPrivateFiles, sealedWasmArgs } from '../privateData/privateArgs.ts'
import { withClientErrors } from '../stack/asCommandFailure.ts'
import { clientOf, findTarget, type ServiceTarget } from '../stack/serviceTarget.ts'
import { accountOfAddress, accountOfKey } from '../stack/signingKey.ts'
import { detail } from '../verbosity.ts'
import { clientAddress, type IntentOptions, intentOf, wasmArgsOf } from './intentOptions.ts'
import { packageTask } from './packageTask.ts'
import { taskRecordOf } from './taskRecord.ts'

export type CreateOptions = IntentOptions & {
  /** Folder of a published package: what its files say, unless an option says something else. */
  readonly package?: string
  readonly target?: string
  readonly json?: boolean
  readonly wasmArgs?: string
  /** `NAME=FILE`: objects to seal. */
  readonly private?: readonly string[]
  readonly sign?: boolean
  /** 65 bytes in hex, made elsewhere. */
  readonly signature?: string
  readonly key?: string
  readonly threshold?: number
  readonly timeout?: number
}

/** `polgate task create`; exit code 1 for a denial. @throws CommandError */
export async function createTask(options: CreateOptions): Promise<void> {
  const target = await findTarget(options.target)
  const ofPackage =
    options.package === undefined ? undefined : await packageTask(options.package, target)
  const policyClient = clientAddress(target, options.client ?? ofPackage?.client)
  const intent = intentOf(target, options, ofPackage?.intent)
  const wasmArgs = options.wasmArgs ?? ofPackage?.wasmArgs
  const files = await readPrivateFiles(options.private ?? [])
  const signature = signatureOf(options)
  const account = options.sign ? signerOf(target, intent.from, options.key) : undefined
  const client = clientOf(target)
  detail(`intent ${stringifyExact(intent)} for ${policyClient}`)
  const result = await withClientErrors(async () => {
    const wasm_args =
      files.size === 0
        ? wasmArgsOf(wasmArgs)
        : await sealedWasmArgs(client, files, { policyClient, wasmArgs })
    const intent_signature =
      signature ?? (account && (await client.signIntent({ account, intent, policyClient })))
    return await client.createTask({
      policy_client: policyClient,
      intent,
      include_validate_calldata: true,
      ...(wasm_args === undefined ? {} : { wasm_args }),
      ...(intent_signature === undefined ? {} : { intent_signature }),
      ...(options.threshold === undefined
        ? {}
        : { quorum_threshold_percentage: options.threshold }),
      ...(options.timeout === undefined ? {} : { timeout: options.timeout }),
    })
  })
  const { allow, value } = taskDecision(result)
  if (!allow) process.exitCode = 1
  const record = allow ? { operators: [] } : await taskRecordOf(target, result.task_id)
  const reasons = record && reasonsOf(record)
  const { task_id: taskId, expiration, warnings = [] } = result
  if (options.json) {
    console.log(JSON.stringify({ taskId, allow, value, reasons, expiration, warnings }))
    return
  }
  const { green, red, yellow } = colours(process.stdout)
  console.log(`task      ${taskId}`)
  console.log(`decision  ${allow ? green('allow') : red('deny')}${shownValue(value)}`)
  for (const reason of reasons ?? []) console.log(`reason    ${printable(reason)}`)
  if (!allow && !reasons?.length)
    console.log(`no reason polgate task trace ${taskId} shows what the policy was given`)
  console.log(`valid     until block ${expiration}`)
  for (const { code, message } of warnings)
    console.log(`${yellow('warning')}   ${code}: ${printable(message)}`)
}

function signatureOf({ signature, sign }: CreateOptions): `0x${string}` | undefined {
  if (signature === undefined) return undefined
  if (sign)
    throw new CommandError('--sign and --signature exclude each other', {
      hint: '--sign makes the EIP-712 signature of the intent; --signature passes one that was made elsewhere.',
    })
  if (/^0x[0-9a-fA-F]{130}$/.test(signature)) return signature as `0x${string}`
  throw new CommandError(`--signature '${signature.slice(0, 40)}' is not a signature`, {
    hint: 'Use 0x and the 130 hex digits of r, s and v.',
  })
}

function signerOf(target: ServiceTarget, from: string, key: string | undefined) {
  const account = key === undefined ? accountOfAddress(target, from) : accountOfKey(target, key)
  if (account === undefined)
    throw new CommandError(`the key of ${from} is not known`, {
      hint: 'Pass --key with the name of an environment variable that has it.',
    })
  return account
}

/** Of a policy that answers with more than a boolean. */
const shownValue = (value: unknown): string =>
  typeof value === 'boolean' ? '' : `  (${printable(JSON.stringify(value)?.slice(0, 300) ?? '')})`
