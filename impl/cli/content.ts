import { type Command, InvalidArgumentError } from 'commander'
import type { AddOptions } from './content/addContent.ts'
import type { GetOptions } from './content/getContent.ts'
import type { ListOptions } from './content/listContent.ts'
import type { Verb } from './verb.ts'

const examples = `
Examples:
  svc content add oracle.wasm                 keep a file, print its content id
  svc content get bafkrei... -o oracle.wasm   the file again, every block of it checked
  svc content list --check                    what is kept, and whether any of it was altered

Without --directory it is the store of the stacks that \`svc start\` runs: what is added there is
served at once, also as /ipfs/{cid}. Nothing is ever deleted.`

const addHelp = `
Examples:
  svc content add policy.rego schema.json     an id a line, in the order of the files
  cat policy.rego | svc content add -         from standard input
  svc content add --only-hash oracle.wasm     the id alone, nothing is kept

Which id a file has depends on how it is cut into blocks. Without options it is done as in the
profile unixfs-v1-2025 of IPIP-499 (blocks of 1 MiB, 1024 links, raw leaves), which was made to end
the differences between tools: Helia and Storacha do it so, and kubo with the profile of that name.
For files of up to 256 KiB the id is also that of \`ipfs add --cid-version 1\`.

The same as                            | options
  ipfs add                               --cid-version 0
  ipfs add --cid-version 1               --chunker size-262144 --max-file-links 174
  ipfs add --raw-leaves                  --cid-version 0 --raw-leaves

Any of these ids can be used with the service.`

/** Files by content id, as policies, schemas and oracles are named on chain (decision O7). */
export const content: Verb = {
  define(command: Command) {
    command.addHelpText('after', examples)
    const shared = (subcommand: Command) =>
      subcommand
        .option('--directory <dir>', 'the store (default: that of local stacks)')
        .option('--json', 'print JSON')

    shared(command.command('add'))
      .description('keep files and print their content ids')
      .argument('<file...>', 'files; - for standard input')
      .option('--cid-version <number>', '0 for ids as `ipfs add` makes them', cidVersion, 1)
      .option('--chunker <size-BYTES>', 'size of the blocks that a file is cut into', chunkBytes)
      .option('--max-file-links <number>', 'links of one node of a large file', linkCount)
      .option('--raw-leaves', 'blocks of a file are bytes alone (default with version 1)')
      .option('--no-raw-leaves', 'blocks of a file are UnixFS nodes (default with version 0)')
      .option('-n, --only-hash', 'print the id and keep nothing')
      .option('--no-prepare', 'do not compile components ahead of their first run')
      .addHelpText('after', addHelp)
      .action(async (files: string[], options: AddOptions) => {
        const { addContent } = await import('./content/addContent.ts')
        await addContent(files, options)
      })

    shared(command.command('get'))
      .description('print a file, or write it; every block is checked against its id')
      .argument('<cid>')
      .option('-o, --output <file>', 'where to write it (default: standard output)')
      .option(
        '--gateway <url>',
        'ask this IPFS gateway for what is not here',
        (url: string, urls: readonly string[]) => [...urls, url],
        [],
      )
      .action(async (cid: string, options: GetOptions) => {
        const { getContent } = await import('./content/getContent.ts')
        await getContent(cid, options)
      })

    shared(command.command('list'))
      .description('list the blocks that are kept, with their sizes')
      .option('--check', 'read every block and compare it with its id; exit 1 for altered ones')
      .action(async (options: ListOptions) => {
        const { listContent } = await import('./content/listContent.ts')
        await listContent(options)
      })
  },
}

function cidVersion(text: string): 0 | 1 {
  if (text === '0') return 0
  if (text === '1') return 1
  throw new InvalidArgumentError('There are the versions 0 and 1.')
}

const maxChunkBytes = 2 * 1024 * 1024

function chunkBytes(text: string): number {
  const bytes = Number(/^size-(\d+)$/.exec(text)?.[1])
  if (bytes >= 1_024 && bytes <= maxChunkBytes) return bytes
  throw new InvalidArgumentError('Write it as size-262144, from size-1024 to size-2097152.')
}

function linkCount(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 2 && count <= 4_096) return count
  throw new InvalidArgumentError('A node has from 2 to 4096 links.')
}
