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

export type Migration = { readonly id: number; readonly sql: string }

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
]
