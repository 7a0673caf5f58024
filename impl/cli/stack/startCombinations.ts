import { CommandError } from '../commandDefinition.ts'
import { chainIdOf } from '../policy/httpOptions.ts'
import type { StartOptions } from './startOptions.ts'

type Combination = {
  readonly options: readonly [string, string]
  readonly holds: (options: StartOptions) => boolean
  readonly why: string
  readonly hint: string
}

/** Chain id of `--second-network`, base-sepolia. */
const secondChainId = 84_532

/** What would be ignored, or break, together. All other options of `start` have their effect in every combination. */
const refused: readonly Combination[] = [
  {
    options: ['--mock', '--operator-processes'],
    holds: ({ mock = [], operatorProcesses }) => mock.length > 0 && operatorProcesses === true,
    why: 'has no effect on operators in processes of their own',
    hint: 'Leave out --operator-processes.',
  },
  {
    options: ['--secrets-file', '--operator-processes'],
    holds: ({ secretsFile = [], operatorProcesses }) =>
      secretsFile.length > 0 && operatorProcesses === true,
    why: 'has no effect on operators in processes of their own',
    hint: 'Leave out --operator-processes.',
  },
  {
    options: ['--fork-url', '--data-dir'],
    holds: ({ forkUrl, dataDir }) => forkUrl !== undefined && dataDir !== undefined,
    why: 'makes a chain that cannot be kept: its state is only what differs from the forked chain',
    hint: 'Leave out --data-dir.',
  },
  {
    options: ['--fork-url', '--second-network'],
    holds: ({ forkUrl, secondNetwork }) => forkUrl !== undefined && secondNetwork === true,
    why: 'puts the contracts at other addresses than those of the second network',
    hint: 'Leave out --second-network.',
  },
  {
    options: ['--open', '--no-studio'],
    holds: ({ open, studio }) => open === true && studio === false,
    why: 'has nothing to open',
    hint: 'Leave out --no-studio.',
  },
  {
    options: ['--chain-id', '--second-network'],
    holds: ({ chainId, secondNetwork }) =>
      secondNetwork === true && chainIdOf(chainId) === secondChainId,
    why: `${secondChainId} is the chain id of the second network`,
    hint: 'Choose another chain id.',
  },
]

/**
 * Refuses options that have no effect together, and values that only a running stack would refuse.
 *
 * @throws CommandError before anything starts
 */
export function checkCombinations(options: StartOptions): void {
  const found = refused.find(({ holds }) => holds(options))
  if (found !== undefined) {
    const {
      options: [option, other],
      why,
      hint,
    } = found
    throw new CommandError(`${option} with ${other}: ${option} ${why}`, { hint })
  }
  if (options.forkUrl !== undefined && !/^https?:\/\/[^\s]+$/.test(options.forkUrl)) {
    // Not quoted: it may contain a key.
    throw new CommandError('--fork-url is not an http or https URL', {
      hint: 'Name the JSON-RPC address of a node, such as http://127.0.0.1:8545.',
    })
  }
}
