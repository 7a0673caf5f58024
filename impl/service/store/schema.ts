import type { Transaction } from './database.ts'
import { first } from './migrations/001-first.ts'
import { webhooks } from './migrations/002-webhooks.ts'
import { scaleOut } from './migrations/003-scaleOut.ts'
import { explorer } from './migrations/004-explorer.ts'
import { referenceBlock } from './migrations/005-referenceBlock.ts'
import { posted } from './migrations/006-posted.ts'
import { explorerFacts } from './migrations/007-explorerFacts.ts'
import { operatorResponses } from './migrations/008-operatorResponses.ts'
import { taskTraces } from './migrations/009-taskTraces.ts'
import { newest } from './migrations/010-newest.ts'
import { gasBurners } from './migrations/011-gasBurners.ts'
import { concurrentKeys } from './migrations/012-concurrentKeys.ts'
import { envelopeFingerprints } from './migrations/013-envelopeFingerprints.ts'

export type Migration = {
  readonly id: number
  readonly sql: string
  /** Fills new tables from old rows, after `sql` and in its transaction. */
  readonly fill?: (tx: Transaction) => Promise<void>
}

/**
 * Migrations in order. A released migration is never edited; a new one follows it.
 *
 * `json`, not `jsonb`: a result must be returned as it was stored, with arbitrary string contents
 * and numbers of any size.
 */
export const migrations: readonly Migration[] = [
  first,
  webhooks,
  scaleOut,
  explorer,
  referenceBlock,
  posted,
  explorerFacts,
  operatorResponses,
  taskTraces,
  newest,
  gasBurners,
  concurrentKeys,
  envelopeFingerprints,
]
