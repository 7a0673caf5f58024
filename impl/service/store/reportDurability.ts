import type { Database } from './database.ts'

type Log = (fields: object, text: string) => void

/** Logs once, at start, what a crash of the machine leaves of what the service acknowledges. */
export function reportDurability(
  logger: { readonly info: Log; readonly warn: Log },
  { engine, durability: { mode, problems } }: Pick<Database, 'engine' | 'durability'>,
): void {
  const fields = { engine, durability: mode }
  if (problems.length > 0)
    logger.warn(
      fields,
      `the database may lose acknowledged tasks when its machine crashes: ${problems.join(', ')}. Turn them on in the settings of the server.`,
    )
  else logger.info(fields, `the database is ${texts[mode]}`)
}

const texts = {
  durable: 'durable: what is acknowledged is on disk',
  relaxed: 'relaxed: what is acknowledged may be lost when the machine crashes',
  memory: 'in memory: it ends with the process',
} as const
