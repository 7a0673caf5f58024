import { migrate } from 'polgate-service/store/migrate.ts'
import { openDatabase } from 'polgate-service/store/openDatabase.ts'
import { newestSchema } from 'polgate-service/store/schemaVersion.ts'
import { CommandError } from '../commandDefinition.ts'
import { databaseLocation, type PlaceOptions } from '../databaseLocation.ts'

export type MigrateOptions = PlaceOptions & { readonly json?: boolean }

/** `polgate db migrate`: creates the database if there is none. */
export async function migrateDatabase(options: MigrateOptions): Promise<void> {
  const place = await databaseLocation(options, true)
  if (place === undefined)
    throw new CommandError('No database to migrate', {
      hint: 'Pass --config, --data-dir or --database-url, or set DATABASE_URL.',
    })
  const database = await openDatabase(place)
  try {
    const applied = await migrate(database)
    if (options.json) return console.log(JSON.stringify({ schema: newestSchema, applied }))
    const what = applied.length === 0 ? 'nothing to do' : `applied ${applied.join(', ')}`
    console.log(`schema ${newestSchema}: ${what}`)
  } finally {
    await database.close()
  }
}
