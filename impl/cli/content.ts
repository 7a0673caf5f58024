import { type Command, InvalidArgumentError } from 'commander'
import type { CommandDefinition } from './commandDefinition.ts'
import type { AddOptions } from './content/addContent.ts'
import type { GetOptions } from './content/getContent.ts'
import type { ListOptions } from './content/listContent.ts'

const examples = `
Examples:
  polgate content add oracle.wasm                 store a file and print its content id
  polgate content get bafkrei... -o oracle.wasm   read it back, verifying every block
  polgate content list --check                    list stored blocks and verify them

The default store is that of the running stack, and without one the store that stacks of this machine
share. Stacks serve added files immediately, also as /ipfs/{cid}. Nothing is ever deleted.`

const addHelp = `
Examples:
  polgate content add policy.rego schema.json     one id per line, in the order of the files
  cat policy.rego | polgate content add -         read standard input
  polgate content add --only-hash oracle.wasm     print the id without storing

The id of a file depends on how it is split into blocks. The default is the profile unixfs-v1-2025
of IPIP-499 (1 MiB blocks, 1024 links, raw leaves), which Helia, Storacha and kubo (with the profile
of that name) also use. For files of up to 256 KiB it equals the id of \`ipfs add --cid-version 1\`.

Equivalent to                          | options
  ipfs add                               --cid-version 0
  ipfs add --cid-version 1               --chunker size-262144 --max-file-links 174
  ipfs add --raw-leaves                  --cid-version 0 --raw-leaves

The service accepts any of these ids.`

/** Stores files by content id, which names policies, schemas and oracles on chain (decision O7). */
export const content: CommandDefinition = {
  define(command: Command) {
    command.addHelpText('after', examples)
    const shared = (subcommand: Command) =>
      subcommand
        .option('--directory <dir>', 'content store (default: that of the running stack)')
        .option(
          '--target <file>',
          'the description of a running stack (default: that of this folder or above, else the only one)',
        )
        .option('--json', 'print JSON')

    shared(command.command('add'))
      .description('store files and print their content ids')
      .argument('<file...>', 'files; - for standard input')
      .option('--cid-version <number>', '0 for the ids of `ipfs add`', cidVersion, 1)
      .option('--chunker <size-BYTES>', 'block size', chunkBytes)
      .option('--max-file-links <number>', 'maximum links per node of a large file', linkCount)
      .option('--raw-leaves', 'leaf blocks are raw bytes (default with version 1)')
      .option('--no-raw-leaves', 'leaf blocks are UnixFS nodes (default with version 0)')
      .option('-n, --only-hash', 'print the id without storing')
      .option('--no-prepare', 'do not precompile components')
      .addHelpText('after', addHelp)
      .action(async (files: string[], options: AddOptions) => {
        const { addContent } = await import('./content/addContent.ts')
        await addContent(files, options)
      })

    shared(command.command('get'))
      .description('print or write a file, verifying every block against its id')
      .argument('<cid>')
      .option('-o, --output <file>', 'output file (default: standard output)')
      .option(
        '--gateway <url>',
        'fetch missing blocks from this IPFS gateway',
        (url: string, urls: readonly string[]) => [...urls, url],
        [],
      )
      .action(async (cid: string, options: GetOptions) => {
        const { getContent } = await import('./content/getContent.ts')
        await getContent(cid, options)
      })

    shared(command.command('list'))
      .description('list stored blocks and their sizes')
      .option('--check', 'verify every block against its id; exit 1 if any differs')
      .action(async (options: ListOptions) => {
        const { listContent } = await import('./content/listContent.ts')
        await listContent(options)
      })
  },
}

function cidVersion(text: string): 0 | 1 {
  if (text === '0') return 0
  if (text === '1') return 1
  throw new InvalidArgumentError('Must be 0 or 1.')
}

const maxChunkBytes = 2 * 1024 * 1024

function chunkBytes(text: string): number {
  const bytes = Number(/^size-(\d+)$/.exec(text)?.[1])
  if (bytes >= 1_024 && bytes <= maxChunkBytes) return bytes
  throw new InvalidArgumentError('Must be size-BYTES, from size-1024 to size-2097152.')
}

function linkCount(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 2 && count <= 4_096) return count
  throw new InvalidArgumentError('Must be a number from 2 to 4096.')
}
