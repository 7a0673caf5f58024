import { taskManagerAbi } from 'polgate-chain/artifacts/abis.ts'
import type { Target } from 'polgate-conformance/core/target.ts'
import { concatHex, getAbiItem, type Hex, toFunctionSelector } from 'viem'
import { assemble, delegate, type Part, replace } from '../mutants/tolerantContract.ts'
import type { Variant } from './variant.ts'

/** Other choices of the contract that verifies attestations (section 7.5). */

const challenge = toFunctionSelector(getAbiItem({ abi: taskManagerAbi, name: 'challengeTask' }))

/** Pushes whether the call is a challenge. */
const isChallenge = concatHex(['0x5f3560e01c63', challenge, '0x14'])
const refuse: readonly Part[] = [{ label: 'refused' }, '0x5f5ffd']

/** The call delegated to the code, and its result; `after` runs if it did not revert. */
const delegated = (code: Hex, after: readonly Part[] = []): readonly Part[] => [
  delegate(code),
  { jumpTo: 'done' },
  '0x573d5ffd',
  { label: 'done' },
  ...after,
  '0x3d5ff3',
]

/** A challenge whose result is false reverts. */
const revertingChallenges = (code: Hex) =>
  assemble([
    ...delegated(code, [isChallenge, '0x5f511516', { jumpTo: 'refused' }, '0x57']),
    ...refuse,
  ])

/** The only account that may challenge: one of the gateway’s owner. */
const challenger: Hex = '0x00c4a11e46e400c4a11e46e400c4a11e46e400c4'

/** A challenge of anyone else reverts. */
const challengesOfOne = (code: Hex) =>
  assemble([
    concatHex(['0x3373', challenger, '0x1415']),
    isChallenge,
    '0x16',
    { jumpTo: 'refused' },
    '0x57',
    ...delegated(code),
    ...refuse,
  ])

const managerWith = (code: (moved: Hex) => Hex) => async (target: Target) => {
  await replace(target, target.chain?.taskManager as Hex, code)
  return { target, close: async () => undefined }
}

export const taskContractVariants: readonly Variant[] = [
  {
    id: 'task.challenge-reverts',
    clauses: ['7.5-13'],
    choice: 'has a contract that reverts a challenge whose evidence is not valid',
    around: managerWith(revertingChallenges),
    declares: { 'challenge-form': 'a challenge with invalid evidence reverts' },
  },
  {
    id: 'task.challenge-by-one',
    clauses: ['7.5-13'],
    choice: 'has a contract that takes challenges of one account only',
    around: managerWith(challengesOfOne),
    declares: { 'challenge-form': 'only one account may challenge' },
  },
]
