import type { Database } from './database.ts'

/** A row that no process holds; gateways on one database share it. */
const row = 'readiness'

/** More rows than `work_mem` holds, so that they take space on the disk of the tables for a moment. */
const spilled = 'select count(*) from generate_series(1, 4000)'

/**
 * Commits what a call would: a change of a row, which a standby and a read-only database refuse, through
 * the log to the disk; and a temporary file that takes new space. A full disk fails nothing else for
 * as long as the log has segments that it reuses, although tables can grow no more. Nothing is left
 * behind that grows, and no lock is waited for.
 *
 * @throws StoreError, StatementError
 */
export async function probeCommit(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.execute("set local work_mem = '64kB'")
    await tx.query(spilled)
    await tx.query(
      "insert into leases (name, holder, until) values ($1, '', 'epoch') on conflict do nothing",
      [row],
    )
    await tx.query(
      `update leases set until = 'epoch'
       where name = (select name from leases where name = $1 for update skip locked)`,
      [row],
    )
    // Where another gateway holds the row: that this commit has something to write.
    await tx.query("select pg_logical_emit_message(true, 'readiness', '')")
  })
}
