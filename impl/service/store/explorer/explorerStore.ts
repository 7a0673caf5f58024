import type { Clock } from 'polgate-protocol/clock.ts'
import type { Database } from '../database.ts'
import { absorbRecords } from './absorbRecords.ts'
import { append } from './append.ts'
import { knownBlocks } from './blocks.ts'
import { nextBlock } from './cursor.ts'
import type { ExplorerIndex } from './explorerIndex.ts'
import type { ExplorerQueries } from './explorerQueries.ts'
import { policyDescriptions, policyQueries } from './policies.ts'
import { rollBack } from './rollBack.ts'
import { statsQuery } from './stats.ts'
import { explorerTaskQueries } from './taskQueries.ts'

export type ExplorerStore = ExplorerIndex & ExplorerQueries

type Writes = Pick<ExplorerIndex, 'append' | 'rollBack' | 'absorbRecords'>

/** The long transactions of the indexer. */
function writes(database: Database, clock: Clock): Writes {
  const { explorerCall } = database
  if (explorerCall === undefined)
    return {
      append: append(database, clock),
      rollBack: rollBack(database, clock),
      absorbRecords: absorbRecords(database, clock),
    }
  const remote = (method: keyof Writes) =>
    ((...args: readonly unknown[]) => explorerCall(method, args, clock())) as never
  return {
    append: remote('append'),
    rollBack: remote('rollBack'),
    absorbRecords: remote('absorbRecords'),
  }
}

/**
 * The explorer's part of the store: the indexed data of each chain (sections 2.9, 2.10 and 4.12).
 */
export const explorerStore = (database: Database, clock: Clock): ExplorerStore => ({
  nextBlock: (chainId) => nextBlock(database, chainId),
  knownBlocks: (chainId, options) => knownBlocks(database, chainId, options),
  ...writes(database, clock),
  ...policyDescriptions(database, clock),
  ...explorerTaskQueries(database),
  ...policyQueries(database),
  stats: statsQuery(database),
})
