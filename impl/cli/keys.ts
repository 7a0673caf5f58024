import type { Command } from 'commander'
import type { ApiKeyRecord, KeyPermission } from '../store/apiKeys.ts'
import type { KeyDesk } from './keyDesk.ts'
import type { Verb } from './verb.ts'

type Shared = { dataDir?: string; databaseUrl?: string; control?: string; json?: boolean }

const examples = `
Examples:
  svc keys create --permission rpc --owner 0xf39F...2266   while \`svc start\` runs here
  svc keys create --permission rpc_read --data-dir ./data  on the data of a service that is stopped
  svc keys rotate 4f1c22ab09de
  svc keys list --json

A change is in force on the next request. A key is shown once, when it is made.
The connection string of a PostgreSQL server is read from SVC_DATABASE_URL.`

/** Creates, rotates, deletes and lists API keys (section 5.1, decision K9). */
export const keys: Verb = {
  define(command: Command) {
    command.addHelpText('after', examples)
    const shared = (subcommand: Command) =>
      subcommand
        .option('--data-dir <dir>', 'data directory of a service that is not running')
        .option('--control <url>', 'control listener of a running local stack')
        .option('--json', 'print JSON')

    shared(command.command('create'))
      .description('make a key')
      .requiredOption('--permission <list>', 'rpc_read, rpc_write, rpc (both), admin', commaList)
      .option('--owner <list>', 'addresses whose policy clients the key may use', commaList, [])
      .option('--name <name>', 'what the key is for', 'command line')
      .option('--expires <time>', 'ISO 8601 time after which the key is refused')
      .action((options: Shared & Creation) =>
        atDesk(options, async (desk) => {
          const { key, record } = await desk.create({
            name: options.name,
            permissions: options.permission as KeyPermission[],
            owners: options.owner as `0x${string}`[],
            ...(options.expires === undefined ? {} : { expiresAt: new Date(options.expires) }),
          })
          print(options, { ...record, key }, `${key}\n${describe(record)}`)
        }),
      )

    shared(command.command('rotate'))
      .description('replace a key; the old one is refused from the next request on')
      .argument('<id>')
      .action((id: string, options: Shared) =>
        atDesk(options, async (desk) => {
          const { key, record } = await desk.rotate(id)
          print(options, { ...record, key }, `${key}\n${describe(record)}`)
        }),
      )

    shared(command.command('delete'))
      .description('delete a key')
      .argument('<id>')
      .action((id: string, options: Shared) =>
        atDesk(options, async (desk) => {
          await desk.delete(id)
          print(options, { deleted: id }, `deleted ${id}`)
        }),
      )

    shared(command.command('list'))
      .description('list keys, never their secrets')
      .action((options: Shared) =>
        atDesk(options, async (desk) => {
          const records = await desk.list()
          print(options, records, records.map(describe).join('\n'))
        }),
      )
  },
}

type Creation = { permission: string[]; owner: string[]; name: string; expires?: string }

const commaList = (value: string): string[] => value.split(',').map((part) => part.trim())

async function atDesk(options: Shared, work: (desk: KeyDesk) => Promise<void>): Promise<void> {
  const { openKeyDesk } = await import('./keyDesk.ts')
  const desk = await openKeyDesk(options)
  try {
    await work(desk)
  } finally {
    await desk.close()
  }
}

const describe = (record: ApiKeyRecord): string =>
  [
    `id ${record.id}`,
    record.name,
    record.permissions.join('+'),
    ...(record.owners.length === 0 ? [] : [`owners ${record.owners.join(' ')}`]),
    ...(record.expiresAt === null ? [] : [`expires ${new Date(record.expiresAt).toISOString()}`]),
  ].join('  ')

function print(options: Shared, machine: unknown, person: string): void {
  console.log(options.json ? JSON.stringify(machine) : person)
}
