import pg from 'pg'

/** Faults of a PostgreSQL server. */
export type DatabaseFaults = {
  /** Terminates every connection except its own. */
  terminateConnections(): Promise<void>
  /**
   * Kills a server process (SIGKILL): PostgreSQL terminates all others and recovers from its log.
   */
  crash(): Promise<void>
}

/** The server was started by this process, so its processes are on this machine. */
export function databaseFaults(url: string): DatabaseFaults {
  const query = async <T extends object>(sql: string): Promise<T[]> => {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query<T>(sql)).rows
    } finally {
      await client.end().catch(() => {})
    }
  }
  const others = `from pg_stat_activity
    where pid <> pg_backend_pid() and backend_type = 'client backend'`
  return {
    async terminateConnections() {
      await query(`select pg_terminate_backend(pid) ${others}`)
    },
    async crash() {
      const [victim] = await query<{ pid: number }>(
        `select pid ${others} order by random() limit 1`,
      )
      if (victim !== undefined) process.kill(victim.pid, 'SIGKILL')
    },
  }
}
