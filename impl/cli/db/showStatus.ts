import { readStackFile } from 'polgate-local/stackFile.ts'
import { type DatabaseStatus, databaseStatus } from 'polgate-service/store/databaseStatus.ts'
import { openDatabase } from 'polgate-service/store/openDatabase.ts'
import { CommandError } from '../commandDefinition.ts'
import { controlRequest } from '../controlRequest.ts'
import { databaseLocation, type PlaceOptions } from '../databaseLocation.ts'

/** `512 B`, `1.5 MB`: decimal units. */
function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let value = bytes
  let at = 0
  while (value >= 1000 && at < units.length - 1) {
    value /= 1000
    at += 1
  }
  return `${at === 0 ? value : value.toFixed(1)} ${units[at]}`
}

export type StatusOptions = PlaceOptions & { readonly control?: string; readonly json?: boolean }

/** `polgate db status`: exit code 1 while migrations are pending. */
export async function showStatus(options: StatusOptions): Promise<void> {
  const status = await read(options)
  console.log(options.json ? JSON.stringify(status) : describe(status).join('\n'))
  if (status.pending.length > 0) process.exitCode = 1
}

async function read(options: StatusOptions): Promise<DatabaseStatus> {
  const place = options.control === undefined ? await databaseLocation(options, false) : undefined
  if (place === undefined) {
    const control = options.control ?? (await readStackFile())?.controlUrl
    if (control !== undefined)
      return (await (await controlRequest(control, '/database')).json()) as DatabaseStatus
    throw new CommandError('No database to inspect', {
      hint: 'Pass --config, --data-dir or --database-url, set DATABASE_URL, or run `polgate start` here.',
    })
  }
  const database = await openDatabase(place, { mustExist: true })
  try {
    return await databaseStatus(database)
  } finally {
    await database.close()
  }
}

function describe(status: DatabaseStatus): string[] {
  const { engine, engineVersion, schema, newestSchema, pending, tables, indexers } = status
  const row = (name: string, value: string | number | undefined) =>
    value === undefined ? [] : [`${name.padEnd(23)}${value}`]
  const migrations = pending.length === 0 ? 'none' : `${pending.join(', ')} (polgate db migrate)`
  const total = tables.reduce((sum, { bytes }) => sum + bytes, 0)
  return [
    ...row('engine', `${engine === 'server' ? 'server' : 'embedded'}, PostgreSQL ${engineVersion}`),
    ...row('schema', `${schema} of ${newestSchema}`),
    ...row('pending migrations', migrations),
    ...row('unfinished tasks', status.unfinishedTasks),
    ...row('queued postings', status.queuedPostings),
    ...row('pending notifications', status.pendingNotifications),
    ...(indexers ?? []).flatMap(({ chainId, nextBlock, updatedAt }) =>
      row(
        `indexer of ${chainId}`,
        `next block ${nextBlock}, at ${new Date(updatedAt).toISOString()}`,
      ),
    ),
    '',
    ...tables.map(({ name, rows, estimated, bytes }) => {
      const count = `${estimated ? '~' : ''}${rows}`
      return `${name.padEnd(23)}${count.padStart(12)} rows${formatBytes(bytes).padStart(12)}`
    }),
    `${'total'.padEnd(23)}${' '.repeat(17)}${formatBytes(total).padStart(12)}`,
  ]
}
