import { CommandError } from '../commandDefinition.ts'

const MAX_STDIN = 64 * 1024 * 1024

/** Everything on stdin. @throws CommandError if it is too long */
export async function readStdin(): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of process.stdin) {
    size += (chunk as Buffer).length
    if (size > MAX_STDIN)
      throw new CommandError(`stdin is longer than ${MAX_STDIN} bytes`, {
        hint: 'Pass a smaller input.',
      })
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}
