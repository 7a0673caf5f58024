import { systemClock } from 'polgate-protocol/clock.ts'
import type { SimulatePolicyResult } from 'polgate-protocol/methods/simulatePolicy.ts'
import { CommandError } from '../commandDefinition.ts'
import { evaluateAsService, requestOf } from './evaluateAsService.ts'
import { openExchanges } from './exchanges.ts'
import { chainIdOf, checkHttpOptions, limitsOf } from './httpOptions.ts'
import { parseJson, readJson, readParams, readPolicy, readText } from './inputFiles.ts'
import { readIntentDomainFile } from './intentDomainFile.ts'
import { note } from './notes.ts'
import { filesOf, type SimulatePolicyOptions } from './policyFlags.ts'
import { readOracles } from './policyPackage.ts'
import { isAllowed, showPolicy } from './policyReport.ts'
import { openSimulator } from './simulator.ts'
import { privateDataJson, privateUsesOf, readTestPrivateData } from './testPrivateData.ts'

/**
 * `polgate policy simulate`: runs oracles and policy from files with the code of the service. Sets exit
 * code 0 if evaluation succeeded, 1 if it failed or the decision differs from `--expect`.
 *
 * @throws CommandError, RecordingError
 */
export async function simulatePolicy(
  directory: string | undefined,
  options: SimulatePolicyOptions,
): Promise<void> {
  const begin = performance.now()
  checkHttpOptions(options)
  const limits = limitsOf(options.limit)
  const { files, wasmArgs } = await filesOf(directory, options)
  const { entrypoint } = files
  const policy = required(files.policy, '--policy FILE')
  const source = await readPolicy(policy)
  const intent = await readJson(required(files.intent, '--intent FILE'))
  const params = files.params === undefined ? {} : await readParams(files.params)
  const signingDomain =
    files.intentDomain === undefined ? undefined : await readIntentDomainFile(files.intentDomain)
  const paramsSchema =
    files.paramsSchema === undefined ? undefined : await readText(files.paramsSchema)
  if (options.data !== undefined) parseJson('--data', options.data)
  const privateJson =
    (await privateUsesOf({ path: policy, text: source })) &&
    privateDataJson(await readTestPrivateData(files.privateData))
  const oracles = await readOracles(files.oracles, { wasmArgs, note })
  const { inputs, secrets } = oracles
  const exchanges = await openExchanges({ ...options, secrets, clock: systemClock })
  const simulator = await openSimulator({
    oracles: inputs,
    exchanges,
    limits,
    allowedHosts: options.allowHost,
    chainId: chainIdOf(options.chainId) ?? 0,
    privateData: () => privateJson,
  })
  try {
    const loaded = performance.now()
    const request = requestOf({
      ...{ source, intent, params, entrypoint, sources: simulator.sources },
      intentSignature: options.intentSignature,
    })
    noteOtherChain(request.intent.chain_id, chainIdOf(options.chainId))
    const answer = await evaluateAsService(simulator, request, {
      schemas: inputs.map(({ secretsSchema }) => secretsSchema?.text),
      paramsSchema,
      signingDomain,
      data: options.data,
      now: exchanges.now,
      signal: exchanges.unknown,
    })
    exchanges.unknown.throwIfAborted()
    const end = performance.now()
    await exchanges.finish(note)
    showPolicy(answer, {
      json: options.json === true,
      packs: inputs.map(({ name }, at) => ({ name: name ?? '', stages: simulator.stages[at]! })),
      timings: { read: loaded - begin, total: end - begin },
      more: options.timings === true,
    })
    if (simulator.stages.some(({ http }) => http.some(({ error }) => error !== undefined))) {
      noteRecorded(files.exchanges, options)
    }
    process.exitCode = exitCodeOf(answer.result, options.expect)
  } finally {
    await simulator.close()
  }
}

function required(path: string | undefined, flag: string): string {
  if (path !== undefined) return path
  throw new CommandError(`${flag} is missing`, {
    hint: 'Pass a package folder that contains it, or the file.',
  })
}

/** Points to the recorded exchanges of a package when its servers are unreachable. */
function noteRecorded(path: string | undefined, { record, replay }: SimulatePolicyOptions): void {
  if (path === undefined || record !== undefined || replay !== undefined) return
  note(`an HTTP call failed; use --replay ${path} to run with the recorded exchanges`)
}

function noteOtherChain(intentChain: string, chainId: number | undefined): void {
  if (chainId === undefined || BigInt(intentChain) === BigInt(chainId)) return
  note(
    `the intent is for chain ${BigInt(intentChain)}; a client on chain ${chainId} would refuse it`,
  )
}

function exitCodeOf(result: SimulatePolicyResult, expected: string | undefined): number {
  if (!result.success) return 1
  if (expected === undefined) return 0
  const decision = isAllowed(result) ? 'allow' : 'deny'
  if (decision === expected) return 0
  console.error(`error: expected ${expected}, but the decision is ${decision}`)
  return 1
}
