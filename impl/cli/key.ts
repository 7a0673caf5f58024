import type { Command } from 'commander'
import type { CommandDefinition } from './commandDefinition.ts'
import type { BackupOptions, RestoreOptions } from './key/keyBackup.ts'
import type { KeyOptions, RecoverOptions, ReshareOptions } from './key/keyOperations.ts'
import { stackOption } from './stack/findStack.ts'

const examples = `
Examples:
  polgate key refresh                                     new shares of the same key; old ones become useless
  polgate key reshare --members 0,1,2 --needed 2          another roster and threshold
  polgate key recover 2                                   restore the lost share of an operator with the others
  polgate key backup 2 --out share.backup --passphrase-file passphrase.txt
  polgate key restore 2 share.backup --passphrase-file passphrase.txt

The public key never changes, and what is sealed to it stays readable. An operation that was interrupted,
also by a crash, is completed or abandoned by the next one; until then the key works as before.

Operators are numbered from 0 in the order of the configuration, or named by address. Without --config the
key is that of a running local stack (start it with --threshold). With --config FILE this command calls the
operator processes of a gateway's configuration; to reshare to another roster, first set threshold.next in
the configuration of every operator and of the gateway (CONFIGURATION.md), and restart them. Shares of
operators that run elsewhere are backed up where they are stored: --directory DIR, with an address.`

const backupHelp = `
The file is JSON, readable except for the share, which is encrypted: with --passphrase-file by scrypt and
AES-256-GCM, with --recipient by HPKE to an X25519 key. It is a backup of one epoch: after a refresh or a
resharing it is useless, and a new one is due.`

const restoreHelp = `
Another key, or an older epoch than the operators use, is refused unless --another-key or --older-epoch
says that it is intended. A share that is replaced is kept under another name. To restore a share of an
operator process, stop the process first.`

/** The lifecycle of the key that operators share in threshold mode. */
export const key: CommandDefinition = {
  define(command: Command) {
    command.addHelpText('after', examples)
    const shared = (subcommand: Command) =>
      subcommand
        .option(...stackOption)
        .option('--config <file>', 'configuration of a gateway with operators in own processes')
        .option('--json', 'print JSON')
    const local = (subcommand: Command) =>
      subcommand
        .option(...stackOption)
        .option('--directory <dir>', 'directory of shares of an operator (default: of the stack)')
        .option('--passphrase-file <file>', 'file with the passphrase, at least 12 characters')
        .option('--json', 'print JSON')

    shared(command.command('status'))
      .description('show the key, its epoch and who holds a share; exit 1 if one is missing')
      .action(async (options: KeyOptions) => {
        const { keyStatus } = await import('./key/keyOperations.ts')
        await keyStatus(options)
      })

    shared(command.command('refresh'))
      .description('replace every share')
      .action(async (options: KeyOptions) => {
        const { refreshKey } = await import('./key/keyOperations.ts')
        await refreshKey(options)
      })

    shared(command.command('reshare'))
      .description('add and remove members, change the threshold')
      .option('--members <list>', 'the next roster in its order, such as 0,1,2')
      .option('--needed <number>', 'how many of them are needed to decrypt')
      .action(async (options: ReshareOptions) => {
        const { reshare } = await import('./key/keyOperations.ts')
        await reshare(options)
      })

    shared(command.command('recover'))
      .description('restore the lost share of an operator with the help of others')
      .argument('<operator>', 'number or address')
      .option('--without <list>', 'operators that shall not help')
      .action(async (operator: string, options: RecoverOptions) => {
        const { recover } = await import('./key/keyOperations.ts')
        await recover(operator, options)
      })

    local(command.command('backup'))
      .description('write the share of an operator to a sealed file')
      .argument('<operator>', 'number or address')
      .requiredOption('--out <file>', 'the backup; it must not exist')
      .option('--recipient <key>', 'X25519 public key, 64 hex digits')
      .addHelpText('after', backupHelp)
      .action(async (operator: string, options: BackupOptions) => {
        const { backupShare } = await import('./key/keyBackup.ts')
        await backupShare(operator, options)
      })

    local(command.command('restore'))
      .description('restore the share of an operator from a sealed file')
      .argument('<operator>', 'number or address')
      .argument('<file>')
      .option('--private-key-file <file>', 'file with the X25519 private key, 64 hex digits')
      .option('--older-epoch', 'restore it although the operators use a later epoch')
      .option('--another-key', 'restore it although the operators use another key')
      .addHelpText('after', restoreHelp)
      .action(async (operator: string, file: string, options: RestoreOptions) => {
        const { restoreFromFile } = await import('./key/keyBackup.ts')
        await restoreFromFile(operator, file, options)
      })
  },
}
