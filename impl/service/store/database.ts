import { AppError } from 'polgate-lib/errors/appError.ts'
import type { Channel, ChannelListener } from './channel.ts'

export type Row = Record<string, unknown>

/** A connection, or a transaction on it. Parameters are `$1`, `$2`, ...; `bigint` is refused by design. */
export type Queries = {
  query<T extends Row = Row>(
    sql: string,
    params?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<T[]>
}

export type QueryOptions = {
  /**
   * Each connection of a server plans the statement once, which for a quick one is half of its time.
   * For constant texts that are asked often, and whose best plan does not hang on the parameters.
   */
  readonly planOnce?: boolean | undefined
}

/**
 * PostgreSQL, embedded or a server: the same dialect, the same migrations, the same queries.
 * Values come back alike from both: `json` parsed, `timestamptz` as `Date`, `int8` as `number`.
 */
export type Database = Queries & {
  readonly engine: 'embedded' | 'server'
  /** Several statements without parameters. */
  execute(script: string): Promise<void>
  /** Commits when `work` resolves, rolls back when it throws. Not to be nested. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** To the other processes on this database; the embedded engine has none. */
  readonly openChannel?: (name: string, listener: ChannelListener) => Channel
  close(): Promise<void>
}

export type Transaction = Queries & { execute(script: string): Promise<void> }

/** PostgreSQL's `text` cannot hold U+0000, which a policy or an oracle may put into a message. */
export const storableText = (text: string): string => text.replaceAll('\u0000', '\ufffd')

/**
 * A statement that the database refused. The drivers hang parameters and rows on their errors, which
 * then reach a log; only the message and the code (SQLSTATE) are kept.
 */
export class StatementError extends AppError<{ code?: string }> {
  constructor(error: unknown) {
    const { message, code } = error as { message?: unknown; code?: unknown }
    super(String(message), typeof code === 'string' ? { code } : {})
  }
}
