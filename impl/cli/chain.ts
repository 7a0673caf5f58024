import { type Command, Option } from 'commander'
import type { BindingsOptions } from './chain/bindings/writeBindings.ts'
import type { BalanceOptions } from './chain/chainBalance.ts'
import type { ChainOptions } from './chain/chainControl.ts'
import type { CommandDefinition } from './commandDefinition.ts'
import { stackOption } from './stack/findStack.ts'

const examples = `
Examples:
  polgate chain mine 10                           mine ten empty blocks
  polgate chain warp 3600                         move the whole service an hour ahead
  polgate chain warp 2030-01-01T00:00:00Z         move it to a time
  polgate chain snapshot                          print the id of the state now, such as snapshot_1
  polgate chain revert snapshot_1                 back to that state, as often as you like
  polgate chain balance sender                    the balance of an account of the stack
  polgate chain balance 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266 --set 100
  polgate chain bindings --out src/abi            ABIs as TypeScript modules, with the addresses of the stack
  polgate chain bindings --language solidity TaskManager PolicyClient

Chain, gateway, operators, webhooks and explorer move together. A snapshot contains the rows of the database,
too: reverting removes tasks, keys and secrets that were created since, and drops later snapshots. Snapshots
exist as long as the stack runs.`

/** Moves the chain of a running local stack, and with it the whole service; writes bindings. */
export const chain: CommandDefinition = {
  define(command: Command) {
    command.addHelpText('after', examples)
    const shared = (subcommand: Command) =>
      subcommand.option(...stackOption).option('--json', 'print JSON')

    shared(command.command('mine'))
      .description('mine empty blocks')
      .argument('[blocks]', 'how many, 1 to 100000', '1')
      .action(async (blocks: string, options: ChainOptions) => {
        const { mineBlocks } = await import('./chain/chainControl.ts')
        await mineBlocks(blocks, options)
      })

    shared(command.command('warp'))
      .description('move the time of the whole service ahead, and mine a block there')
      .argument('<time>', 'seconds, or an ISO 8601 time')
      .action(async (time: string, options: ChainOptions) => {
        const { warp } = await import('./chain/chainControl.ts')
        await warp(time, options)
      })

    shared(command.command('snapshot'))
      .description('keep the state of chain and database, and print its id')
      .action(async (options: ChainOptions) => {
        const { takeSnapshot } = await import('./chain/chainControl.ts')
        await takeSnapshot(options)
      })

    shared(command.command('revert'))
      .description('restore the state of a snapshot')
      .argument('<id>', 'what snapshot printed')
      .action(async (id: string, options: ChainOptions) => {
        const { revert } = await import('./chain/chainControl.ts')
        await revert(id, options)
      })

    shared(command.command('balance'))
      .description('print the balance of an account in ETH, or set it')
      .argument(
        '<account>',
        'an address, or the name of an account or a policy client of the stack',
      )
      .option('--set <eth>', 'the new balance, such as 1.5')
      .action(async (account: string, options: BalanceOptions) => {
        const { chainBalance } = await import('./chain/chainBalance.ts')
        await chainBalance(account, options)
      })

    command
      .command('bindings')
      .description('write ABIs for TypeScript (viem), or interfaces for Solidity')
      .argument('[contracts...]', 'names such as TaskManager; default: all that a user talks to')
      .option('--out <dir>', 'folder of the files', 'bindings')
      .addOption(
        new Option('--language <language>', 'of the files')
          .choices(['typescript', 'solidity'])
          .default('typescript'),
      )
      .option(
        '--target <file>',
        'whose addresses the modules have: a target file or the description of a stack (default: the running stack, if any)',
      )
      .option('--json', 'print JSON')
      .action(async (contracts: readonly string[], options: BindingsOptions) => {
        const { writeBindings } = await import('./chain/bindings/writeBindings.ts')
        await writeBindings(contracts, options)
      })
  },
}
