import { createInterface } from 'node:readline/promises'
import { ChainWriteError } from 'polgate-chain/errors.ts'
import { createTransactor, type Transactor } from 'polgate-chain/transactor.ts'
import { counted } from 'polgate-lib/text/counted.ts'
import { contentDirectory } from 'polgate-local/chainImage.ts'
import { type Address, formatEther, getAddress, isAddress } from 'viem'
import { CommandError } from '../commandDefinition.ts'
import { loadPolicyPackage } from '../package/loadPolicyPackage.ts'
import { packageWarnings } from '../package/packageWarnings.ts'
import { note, printable } from '../policy/notes.ts'
import { chainOf, findTarget, type ServiceTarget } from '../stack/serviceTarget.ts'
import { accountOfKey } from '../stack/signingKey.ts'
import { weiOf } from '../task/intentOptions.ts'
import { checkComponents } from './checkComponents.ts'
import { clientContract } from './clientContract.ts'
import { allContents, packageContents, storeContents } from './packageContents.ts'
import { readPublication } from './publication.ts'
import { type PlannedStep, planOf, runPlan, withClient } from './publishPlan.ts'
import type { PublishJob } from './publishSteps.ts'
import { publishFindings, refuseFailures, refuseWarnings, warningLines } from './publishWarnings.ts'
import { verifyPublication } from './verifyPublication.ts'

export type PublishOptions = {
  readonly target?: string
  readonly key?: string
  readonly attester?: readonly string[]
  /** A client that is deployed already. */
  readonly client?: string
  readonly fund?: string
  readonly directory?: string
  readonly dryRun?: boolean
  readonly yes?: boolean
  /** Warnings end the command before anything is sent. */
  readonly strict?: boolean
  /** Why the package is published although its tests fail. */
  readonly allowFailing?: string
  readonly json?: boolean
}

/** `polgate policy publish`. @throws CommandError ChainWriteError */
export async function publishPolicy(folder: string, options: PublishOptions): Promise<void> {
  const fund = options.fund === undefined ? 0n : weiOf('--fund', options.fund)
  if (options.allowFailing?.trim() === '')
    throw new CommandError('--allow-failing is empty', {
      hint: 'Say why the package is published although its tests fail.',
    })
  const given = await loadPolicyPackage(folder)
  const target = await findTarget(options.target)
  const { rpcUrl, chainId, taskManager } = chainOf(target)
  const policyFactory = factoryOf(target)
  const account = accountOfKey(target, options.key ?? deployerName(target))
  const owner = await createTransactor({ rpcUrl, account })
  if (owner.chainId !== chainId)
    throw new CommandError(`the node is of chain ${owner.chainId}, the target of ${chainId}`, {
      hint: 'Correct rpcUrl or chainId of the target.',
    })
  const client = clientContract(given, {
    ...{ owner: account.address, taskManager, token: target.stack?.token },
  })
  const contents = await packageContents(given, target.brand)
  const attesters = (options.attester ?? target.stack?.attesters ?? []).map((each) =>
    addressOf('--attester', each),
  )
  const job: PublishJob = { given, contents, client, owner, policyFactory, attesters }
  const where = { chainId, policyFactory, deployer: account.address }
  const read = await readPublication(given.directory, where)
  const publication =
    options.client === undefined
      ? read
      : await withClient(job, read, addressOf('--client', options.client))
  const { steps, known } = await planOf(job, publication)
  const isTested = steps.length > 0 || options.strict === true
  if (isTested) await checkComponents(contents, { witPackage: target.brand.witPackage })
  const { warnings, failures } = isTested
    ? await publishFindings(given)
    : { warnings: await packageWarnings(given), failures: [] }
  const { allowFailing: reason } = options
  const findings = {
    warnings,
    ...(failures.length === 0 ? {} : { failures }),
    ...(failures.length === 0 || reason === undefined ? {} : { allowedFailing: reason }),
  }
  const directory = options.directory ?? target.stack?.contentDirectory ?? contentDirectory
  const balance = await owner.client.getBalance({ address: account.address })
  const price = (await owner.client.estimateFeesPerGas()).maxFeePerGas
  const cost = steps.reduce((sum, each) => sum + each.gas, 0n) * price
  if (!options.json)
    printPlan(job, steps, { cost, balance, deployer: account.address, directory, fund })
  if (!options.json) for (const line of warningLines(warnings)) console.log(line)
  if (options.dryRun && options.json) {
    const plan = { steps: steps.map(machineStep), cost: formatEther(cost), ...findings }
    console.log(JSON.stringify({ dryRun: true, ...plan }))
  } else if (options.json && (isRefused(findings) || (options.strict && warnings.length > 0)))
    console.log(JSON.stringify({ published: false, ...findings }))
  if (reason === undefined) refuseFailures(failures)
  else if (failures.length > 0 && !options.json)
    console.log(
      `despite   ${counted(failures.length, 'failure')} of policy test: ${printable(reason)}`,
    )
  if (options.strict) refuseWarnings(warnings)
  if (options.dryRun) return
  if (steps.length > 0 && !(await isAgreed(options))) {
    throw new CommandError('not published', { hint: 'Nothing was sent.', exitCode: 1 })
  }
  await storeContents(contents, directory)
  if (target.stack === undefined && !options.json)
    note(
      `the contents are in ${directory}: the gateway must find them too, for instance by pinning them`,
    )
  const done = await runPlan(
    job,
    { ...known },
    {
      onStep: (text) => {
        if (!options.json) console.log(text)
      },
    },
  ).catch((error: unknown) => {
    if (!(error instanceof ChainWriteError)) throw error
    throw new CommandError(error.message, {
      hint: `${error.hint ?? ''} What was deployed before is kept in the state file: run publish again to continue.`.trim(),
      cause: error,
    })
  })
  const verified = await verifyPublication(job, done)
  const left = await owner.client.getBalance({ address: account.address })
  const spent = formatEther(balance > left ? balance - left : 0n)
  await fundClient(owner, verified.client, fund)
  if (options.json) {
    console.log(JSON.stringify({ ...verified, transactions: steps.length, spent, ...findings }))
    return
  }
  console.log(`verified  policy ${verified.policy}`)
  for (const { id, address } of verified.policyData)
    console.log(`          oracle ${id} ${address}`)
  console.log(`client    ${verified.client}, policy id ${verified.policyId}`)
  console.log(`cost      ${spent} ETH in ${steps.length} transactions`)
}

/** A client pays the values of intents from its own balance. */
export async function fundClient(owner: Transactor, client: Address, fund: bigint): Promise<void> {
  const balance = await owner.client.getBalance({ address: client })
  if (balance < fund) await owner.transfer(client, fund - balance)
}

const isRefused = ({
  failures,
  allowedFailing,
}: {
  failures?: readonly string[]
  allowedFailing?: string
}) => failures !== undefined && allowedFailing === undefined

const machineStep = ({ name, shown, gas }: PlannedStep) => ({ name, shown, gas: Number(gas) })

export function factoryOf(target: ServiceTarget) {
  const { policyFactory } = chainOf(target)
  if (policyFactory !== undefined) return policyFactory as `0x${string}`
  throw new CommandError(`${target.file} has no policy factory`, {
    hint: 'Add chain: { policyFactory: "0x..." }.',
  })
}

/** The account that deploys where none is given. */
function deployerName(target: ServiceTarget): string {
  if ('owner' in target.accounts) return 'owner'
  throw new CommandError('no account deploys', {
    hint: 'Pass --key with the name of an environment variable that has its private key.',
  })
}

function addressOf(option: '--attester' | '--client', text: string) {
  if (isAddress(text, { strict: false })) return getAddress(text)
  throw new CommandError(`${option} '${text.slice(0, 60)}' is not an address`, {
    hint:
      option === '--client'
        ? 'Pass the address of the deployed policy client.'
        : 'Pass the address of the account that attests oracle data for the gateway.',
  })
}

function printPlan(
  { given, contents }: PublishJob,
  steps: readonly PlannedStep[],
  facts: {
    readonly cost: bigint
    readonly balance: bigint
    readonly deployer: string
    readonly directory: string
    readonly fund: bigint
  },
): void {
  console.log(`package   ${given.name}, by ${facts.deployer}`)
  for (const { name, cid, bytes } of allContents(contents))
    console.log(`content   ${name}  ${cid}  ${bytes.length} bytes`)
  for (const { shown, gas } of steps) console.log(`deploy    ${shown}  at most ${gas} gas`)
  if (facts.fund > 0n)
    console.log(
      `fund      the client up to ${formatEther(facts.fund)} ETH, for the values of intents`,
    )
  if (steps.length === 0) console.log('deploy    nothing: the chain is up to date')
  else
    console.log(
      `cost      at most ${formatEther(facts.cost)} ETH at the current price; the account has ${formatEther(facts.balance)} ETH`,
    )
}

/** Asks in a terminal. */
async function isAgreed({ yes, json }: PublishOptions): Promise<boolean> {
  if (yes || json || !process.stdin.isTTY || !process.stderr.isTTY) return true
  const asking = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await asking.question('Publish? [y/N] ')).trim())
  } finally {
    asking.close()
  }
}
