import { type Command, InvalidArgumentError } from 'commander'
import type { CommandDefinition } from './commandDefinition.ts'
import { repeatable } from './repeatable.ts'
import { targetOption } from './stack/serviceTarget.ts'
import type { CreateOptions } from './task/createTask.ts'
import type { SpendOptions } from './task/spendTask.ts'
import type { TraceOptions } from './task/traceTask.ts'
import type { WatchOptions } from './task/watchTask.ts'

const examples = `
Examples:
  polgate task create --client cap --to recipient --value 5
  polgate task watch 0x26895b...     follow it, also after its end
  polgate task spend 0x26895b...     write its attestation's transaction
  polgate task trace 0x26895b...     why it was decided so, operator by operator

They use the running stack, or the service of a target file: --target FILE.`

const createHelp = `
Examples:
  polgate task create --client allow-list --to recipient --value 0.1ether
  polgate task create --client token-transfer --to 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC \\
    --call 'transfer(address,uint256)' 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC 100
  polgate task create --client priced-transfer --to recipient --wasm-args '{"symbol":"ETH"}' --json
  polgate task create --client signed-intent --to recipient --sign
  polgate task create --client allow-list --to recipient --private bid=bid.json

--package takes client, intent and oracle arguments of a published package; other options change them,
--chain-id its chain. Arrays
and tuples in --call are JSON. --sign signs the intent with the sender's key: that of --key, else that
of the account of the target. --private seals the object of a file for this task: operators open it
together, and nobody stores it.

Exit codes: 0 allowed, 1 denied, 2 the task failed or could not be created.`

const spendHelp = `
Examples:
  polgate task spend 0x26895b...
  polgate task spend 0x26895b... --key sender    an account of the target
  polgate task spend 0x26895b... --key MY_KEY    the private key in the variable MY_KEY

Exit codes: 0 spent, 1 refused by the contract or denied by the policy, 2 could not run.`

const traceHelp = `
Examples:
  polgate task trace 0x26895b...
  polgate task trace 0x26895b... --json

A local stack remembers the oracle outputs and deny reasons of its last thousand tasks; other gateways
publish neither, and the trace says so.`

/** Creates, follows, spends and explains tasks. */
export const task: CommandDefinition = {
  define(command: Command) {
    command.addHelpText('after', examples)
    const shared = (subcommand: Command) =>
      subcommand.option(...targetOption).option('--json', 'print JSON')

    shared(command.command('create'))
      .description('create a task, wait for its end, and print the decision')
      .option('--package <folder>', 'published package: its client, intent and oracle arguments')
      .option('--client <client>', 'policy client: an address, or its name in the target')
      .option('--to <address>', 'recipient of the intent')
      .option('--from <address>', 'sender of the intent (default: the account `sender`)')
      .option('--value <amount>', 'wei, or with a unit: 5gwei, 0.1ether (default 0)')
      .option('--data <hex>', 'calldata')
      .option('--call <signature...>', 'calldata of a function, with its arguments')
      .option(
        '--function-signature <text>',
        'text of function_signature (default: the function of --call)',
      )
      .option('--chain-id <number>', 'chain of the intent, instead of that of the package')
      .option('--wasm-args <json>', 'arguments of the oracles')
      .option(
        '--private <name=file>',
        'JSON object to seal: the policy reads it as data.privacy.<name> (repeatable)',
        repeatable,
      )
      .option('--sign', 'sign the intent')
      .option('--signature <hex>', 'signature of the intent that was made elsewhere, 65 bytes')
      .option('--key <name>', 'account of the target, or variable with the key, for --sign')
      .option('--threshold <percent>', 'stake that must sign, 1 to 100', percentage)
      .option('--timeout <seconds>', 'time for the task', seconds)
      .addHelpText('after', createHelp)
      .action(async (options: CreateOptions) => {
        const { createTask } = await import('./task/createTask.ts')
        await createTask(options)
      })

    shared(command.command('watch'))
      .description('print the updates of a task until its end')
      .argument('<id>', 'task id')
      .option('--timeout <seconds>', 'give up after this time (default 120)', seconds)
      .action(async (id: string, options: WatchOptions) => {
        const { watchTask } = await import('./task/watchTask.ts')
        await watchTask(id, options)
      })

    shared(command.command('spend'))
      .description('send the transaction that spends the attestation of a task')
      .argument('<id>', 'task id')
      .option(
        '--key <name>',
        'account of the target, or variable with the private key of the sender',
      )
      .option('--function <name>', 'function of the policy client (default executeIntent)')
      .addHelpText('after', spendHelp)
      .action(async (id: string, options: SpendOptions) => {
        const { spendTask } = await import('./task/spendTask.ts')
        await spendTask(id, options)
      })

    shared(command.command('trace'))
      .description('explain a task: data, differences, reasons, votes, aggregation, chain')
      .argument('<id>', 'task id')
      .addHelpText('after', traceHelp)
      .action(async (id: string, options: TraceOptions) => {
        const { traceTask } = await import('./task/traceTask.ts')
        await traceTask(id, options)
      })
  },
}

function percentage(text: string): number {
  const value = Number(text)
  if (/^\d{1,3}$/.test(text) && value >= 1 && value <= 100) return value
  throw new InvalidArgumentError('Use a whole number from 1 to 100.')
}

function seconds(text: string): number {
  const value = Number(text)
  if (/^\d{1,4}$/.test(text) && value >= 1 && value <= 270) return value
  throw new InvalidArgumentError('Use a whole number of seconds from 1 to 270.')
}
