import { AppError } from 'polgate-lib/errors/appError.ts'
import type { Channel, ChannelListener } from './channel.ts'
import type { SyncTotals } from './syncCounters.ts'

export type Row = Record<string, unknown>

/**
 * A connection or a transaction. Parameters are `$1`, `$2`, ...; `bigint` is rejected by design.
 */
export type Queries = {
  query<T extends Row = Row>(
    sql: string,
    params?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<T[]>
}

export type QueryOptions = {
  /**
   * Prepares the statement once per connection of a server; for a quick statement, planning is half
   * of its time. For constant texts that run often and whose best plan does not depend on the
   * parameters.
   */
  readonly planOnce?: boolean | undefined
  /**
   * Does not wait until the change is on disk: nobody is told of it, and a power cut may undo it. What is
   * durable later makes it durable too. Reads wait for it. Within a transaction and on a server without effect.
   */
  readonly unacknowledged?: boolean | undefined
}

/**
 * PostgreSQL, embedded or a server, with the same migrations and queries. Both return the same
 * values: `json` parsed, `timestamptz` as `Date`, `int8` as `number`.
 */
export type Database = Queries & {
  readonly engine: 'embedded' | 'server'
  readonly durability: Durability
  /** Syncs of the embedded engine until now. Absent where it makes none. */
  readonly syncs?: () => SyncTotals
  /** Several statements without parameters. */
  execute(script: string): Promise<void>
  /** Commits when `work` resolves, rolls back when it throws. Must not be nested. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /**
   * A channel to the other processes on this database. Absent in the embedded engine, which has
   * none.
   */
  readonly openChannel?: (name: string, listener: ChannelListener) => Channel
  /**
   * Runs a method of the explorer's store in the thread of the database. Each statement of a
   * transaction would otherwise wait for the other thread, and all other work for the transaction.
   * Absent where the database has no thread.
   *
   * @param now of the clock, unix milliseconds
   */
  readonly explorerCall?: (
    method: string,
    args: readonly unknown[],
    now: number,
  ) => Promise<unknown>
  close(): Promise<void>
}

/** Whether a committed transaction survives a crash of the machine. */
export type Durability = {
  /** `memory`: it does not survive the process. */
  readonly mode: 'durable' | 'relaxed' | 'memory'
  /** Settings of a server that make it relaxed: `fsync is off`. */
  readonly problems: readonly string[]
}

export type Transaction = Queries & { execute(script: string): Promise<void> }

/** PostgreSQL's `text` cannot hold U+0000, which a policy or an oracle may put into a message. */
export const storableText = (text: string): string => text.replaceAll('\u0000', '\ufffd')

/**
 * A statement that the database rejected. Drivers attach parameters and rows to their errors, which
 * could then be logged; only the message and the code (SQLSTATE) are retained.
 */
export class StatementError extends AppError<{ code?: string }> {
  constructor(error: unknown) {
    const { message, code } = error as { message?: unknown; code?: unknown }
    super(String(message), typeof code === 'string' ? { code } : {})
  }
}

/** PostgreSQL answers the commit of a transaction in which a statement failed with a rollback. */
export const rolledBack = () =>
  new StatementError({ message: 'the transaction was rolled back: a statement in it failed' })
