import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { takeNewest } from 'polgate-lib/files/generations.ts'
import type { Database } from 'polgate-service/store/database.ts'
import { openDatabase } from 'polgate-service/store/openDatabase.ts'
import { type Fact, paths, type Run, type Stage, stages, tableRows } from './load.ts'

type Of<Kind extends Fact['kind']> = Extract<Fact, { readonly kind: Kind }>

/**
 * Compares a directory with what was acknowledged before the cut.
 *
 * @returns one line for each thing that is wrong
 */
export async function problemsOf(
  home: string,
  run: Run,
  cut: number,
  { withDatabase = true }: { readonly withDatabase?: boolean | undefined } = {},
): Promise<readonly string[]> {
  const facts = run.facts.filter(({ at }) => at <= cut)
  const files = await fileProblems(home, facts)
  if (!withDatabase) return files
  return [...files, ...(await databaseProblems(home, run, facts))]
}

function of<Kind extends Fact['kind']>(facts: readonly Fact[], kind: Kind): readonly Of<Kind>[] {
  return facts.filter((fact): fact is Of<Kind> => fact.kind === kind)
}

const newest = (facts: readonly { readonly version: number }[]) =>
  Math.max(0, ...facts.map(({ version }) => version))

async function fileProblems(home: string, facts: readonly Fact[]): Promise<string[]> {
  const problems: string[] = []
  const acknowledged = newest(of(facts, 'chain'))
  try {
    const found = await takeNewest(join(home, paths.chain))
    const mark = found?.generation.mark ?? 0
    if (mark < acknowledged) problems.push(`chain: generation ${mark} instead of ${acknowledged}`)
  } catch (error) {
    problems.push(`chain: ${(error as Error).message}`)
  }
  for (const path of paths.files) {
    const least = newest(of(facts, 'file').filter((fact) => fact.path === path))
    const text = await readFile(join(home, path), 'utf8').catch(() => undefined)
    if (text === undefined && least === 0) continue
    const version = versionOf(text)
    if (version === undefined || version < least)
      problems.push(`${path}: version ${version ?? 'torn or missing'} instead of ${least}`)
  }
  return problems
}

function versionOf(text: string | undefined): number | undefined {
  try {
    return (JSON.parse(text ?? '') as { version: number }).version
  } catch {
    return undefined
  }
}

async function databaseProblems(
  home: string,
  run: Run,
  facts: readonly Fact[],
): Promise<readonly string[]> {
  const mustExist = of(facts, 'opened').length > 0
  let database: Database
  try {
    const location = { dataDir: join(home, paths.store), durability: 'relaxed' } as const
    database = await openDatabase(location, { mustExist: true })
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    if (!mustExist && code === 'not-found') return []
    return [`the database does not open: ${message}`]
  }
  try {
    return await contentProblems(database, run, facts)
  } catch (error) {
    return [`the database cannot be used: ${(error as Error).message}`]
  } finally {
    await database.close().catch(() => {})
  }
}

type TaskRow = {
  readonly id: string
  readonly status: string
  readonly finished: boolean
  readonly result: boolean
  readonly posting: string | null
}
type NotificationRow = {
  readonly id: string
  readonly task: string
  readonly outcome: string | null
  readonly body: number
}

async function contentProblems(
  database: Database,
  run: Run,
  facts: readonly Fact[],
): Promise<readonly string[]> {
  const problems: string[] = []
  const tasks = await database.query<TaskRow>(
    `select id, status, finished_at is not null as finished, result is not null as result, posting
     from tasks`,
  )
  const notifications = await database.query<NotificationRow>(
    `select id, task_id as task, outcome, length(payload::text) as body from notifications`,
  )
  const secrets = await database.query<{ scope: string; envelope: string }>(
    'select policy_data_address as scope, envelope from secrets',
  )
  for (const table of ['tasks', 'notifications', 'secrets'])
    problems.push(...(await indexProblems(database, table)))

  const rows = new Map(tasks.map((row) => [row.id, row]))
  const reached = new Map<string, Stage>()
  for (const { id, stage } of of(facts, 'task')) reached.set(id, stage)
  for (const [id, stage] of reached) {
    const row = rows.get(id)
    const found = row === undefined ? 'missing' : row.finished ? 'ended' : row.status
    if (stages.indexOf(found as Stage) < stages.indexOf(stage))
      problems.push(`task ${id} is ${found}, and was acknowledged as ${stage}`)
  }
  const ofTask = new Map<string, NotificationRow[]>()
  for (const row of notifications) ofTask.set(row.task, [...(ofTask.get(row.task) ?? []), row])
  for (const { id, status, finished, result, posting } of tasks) {
    const stored = ofTask.get(id) ?? []
    const whole =
      status === 'success'
        ? finished && result && posting === 'queued' && stored.length === 0
        : status === 'failed'
          ? finished && result && stored.length === 1
          : !finished && !result && stored.length === 0
    if (!whole) problems.push(`task ${id} is half: ${status}, ${stored.length} notifications`)
  }
  const known = new Map(notifications.map((row) => [row.id, row]))
  for (const { id, task } of notifications)
    if (run.notifications.get(task) !== id)
      problems.push(`notification ${id} of ${task} was stored under another id`)
  for (const { id } of of(facts, 'notification'))
    if (!known.has(id)) problems.push(`notification ${id} is missing`)
  for (const { id } of of(facts, 'delivered'))
    if (known.get(id)?.outcome !== 'delivered')
      problems.push(`notification ${id} was delivered, and would be sent again`)
  for (const { name } of of(facts, 'table')) {
    const [row] = await database.query<{ n: number }>(`select count(*) as n from ${name}`)
    if (row?.n !== tableRows) problems.push(`table ${name} has ${row?.n} rows`)
  }
  const stored = new Map(
    secrets.map(({ scope, envelope }) => [Number(scope), versionOf(envelope) ?? -1]),
  )
  const newestOf = new Map(of(facts, 'secret').map(({ scope, version }) => [scope, version]))
  for (const [scope, version] of newestOf)
    if ((stored.get(scope) ?? -1) < version)
      problems.push(
        `secret ${scope} of version ${version} has ${stored.get(scope) ?? 'no version'}`,
      )
  problems.push(...(await registrationProblems(database, facts)))
  return problems
}

async function registrationProblems(
  database: Database,
  facts: readonly Fact[],
): Promise<readonly string[]> {
  const problems: string[] = []
  const [webhook] = await database.query<{ url: string }>('select url from webhooks')
  const version = Number(webhook?.url.split('/').at(-1) ?? 0)
  const acknowledged = newest(of(facts, 'webhook'))
  if (version < acknowledged)
    problems.push(`webhook: version ${version} instead of ${acknowledged}`)
  const rows = await database.query<{ id: string }>('select id from api_keys')
  const found = new Set(rows.map(({ id }) => id))
  for (const { id, exists } of of(facts, 'key'))
    if (found.has(id) !== exists)
      problems.push(`API key ${id} ${exists ? 'is missing' : 'was deleted, and works again'}`)
  return problems
}

/** A scan of the table and one of its primary key must find the same; both read every page. */
async function indexProblems(database: Database, table: string): Promise<string[]> {
  const count = (setting: string) =>
    database.transaction(async (tx) => {
      await tx.execute(setting)
      const [row] = await tx.query<{ n: number }>(`select count(*) as n from ${table}`)
      return row?.n
    })
  const scanned = await count(
    'set local enable_indexscan = off; set local enable_indexonlyscan = off',
  )
  const indexed = await count('set local enable_seqscan = off; set local enable_bitmapscan = off')
  return scanned === indexed ? [] : [`${table}: ${scanned} rows, ${indexed} in its index`]
}
