import type { Command } from 'commander'
import type { ApiKeyRecord } from 'polgate-service/store/apiKeys.ts'
import type { KeyPermission } from 'polgate-service/store/keyOptions.ts'
import { type CommandDefinition, CommandError } from './commandDefinition.ts'
import type { KeyManager, KeyManagerOptions } from './keyManager.ts'

/** One line of text about a key. */
function describeKey(record: ApiKeyRecord): string {
  const { id, name, permissions, owners, rotatedAt, expiresAt } = record
  const expired = expiresAt !== null && new Date(expiresAt).getTime() <= Date.now()
  return [
    `id ${id}`,
    name,
    permissions.length === 0 ? 'no permission' : permissions.join('+'),
    ...(owners.length === 0 ? [] : [`owners ${owners.join(' ')}`]),
    ...(rotatedAt === null ? [] : [`rotated ${new Date(rotatedAt).toISOString()}`]),
    ...(expiresAt === null
      ? []
      : [`${expired ? 'expired' : 'expires'} ${new Date(expiresAt).toISOString()}`]),
  ].join('  ')
}

type Shared = { dataDir?: string; control?: string; json?: boolean }

const examples = `
Examples:
  polgate keys create --permission rpc --owner 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266
  polgate keys create --permission rpc_read --expires 2030-12-31 --data-dir ./data
  polgate keys list --json
  polgate keys rotate 4f1c22ab09de
  polgate keys delete 4f1c22ab09de

The keys are those of --data-dir, if no service is running on it; else those of the PostgreSQL server
of DATABASE_URL; else those of the stack that \`polgate start\` runs in this directory, or of the only one that
runs, or of the stack at --control. Changes take effect on the next request. A key is shown only once, when it is created.`

/** Creates, rotates, deletes and lists API keys (section 5.1, decision K9). */
export const keys: CommandDefinition = {
  define(command: Command) {
    command.addHelpText('after', examples)
    const shared = (subcommand: Command) =>
      subcommand
        .option('--data-dir <dir>', 'data directory of a service that is not running')
        .option('--control <url>', 'control listener of a running local stack')
        .option('--json', 'print JSON')

    shared(command.command('create'))
      .description('create a key')
      .requiredOption('--permission <list>', 'rpc_read, rpc_write, rpc (both), admin', commaList)
      .option('--owner <list>', 'addresses whose policy clients the key may use', commaList, [])
      .option('--name <name>', 'description of the key', 'command line')
      .option('--expires <time>', 'expiry, an ISO 8601 time', expiry)
      .action((options: Shared & Creation) =>
        atDesk({ ...options, mayMakeStore: true }, async (desk) => {
          const { key, record } = await desk.create({
            name: options.name,
            permissions: options.permission as KeyPermission[],
            owners: options.owner as `0x${string}`[],
            expiresAt: options.expires,
          })
          print(options, { ...record, key }, `${key}\n${describeKey(record)}`)
        }),
      )

    shared(command.command('rotate'))
      .description('replace a key; the old one is invalid from the next request on')
      .argument('<id>')
      .action((id: string, options: Shared) =>
        atDesk(options, async (desk) => {
          const { key, record } = await desk.rotate(id)
          print(options, { ...record, key }, `${key}\n${describeKey(record)}`)
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
      .description('list keys without their secrets')
      .action((options: Shared) =>
        atDesk(options, async (desk) => {
          const records = await desk.list()
          const lines = records.length === 0 ? ['no keys'] : records.map(describeKey)
          print(options, records, lines.join('\n'))
        }),
      )
  },
}

type Creation = { permission: string[]; owner: string[]; name: string; expires?: Date }

const commaList = (value: string): string[] => value.split(',').map((part) => part.trim())

/** A date, optionally with a time; UTC unless it has a time zone. */
const isoTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/

function expiry(text: string): Date {
  const zoned = /T.*(Z|[+-]\d\d:\d\d)$/.test(text) || !text.includes('T') ? text : `${text}Z`
  const time = new Date(zoned)
  const hint = 'Pass for example 2030-12-31 or 2030-12-31T23:59:59Z.'
  if (!isoTime.test(text) || Number.isNaN(time.getTime()))
    throw new CommandError(`${text} is not an ISO 8601 time`, { hint })
  if (time.getTime() <= Date.now())
    throw new CommandError(`--expires ${time.toISOString()} is in the past`, { hint })
  return time
}

async function atDesk(
  options: KeyManagerOptions,
  work: (desk: KeyManager) => Promise<void>,
): Promise<void> {
  const { openKeyManager } = await import('./keyManager.ts')
  const desk = await openKeyManager(options)
  try {
    await work(desk)
  } finally {
    await desk.close()
  }
}

function print(options: Shared, machine: unknown, person: string): void {
  console.log(options.json ? JSON.stringify(machine) : person)
}
