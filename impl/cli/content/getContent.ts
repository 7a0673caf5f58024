import { writeOutput } from 'polgate-lib/files/writeOutput.ts'
import { createContentStore } from 'polgate-service/content/contentStore.ts'
import { httpGateways } from 'polgate-service/content/gateways.ts'
import { CommandError } from '../commandDefinition.ts'
import { asCommandError, type ContentOptions, directoryOf } from './contentLocation.ts'

export type GetOptions = ContentOptions & {
  readonly output?: string
  readonly gateway: readonly string[]
}

/** `polgate content get`: writes the bytes to standard output or to a file. */
export async function getContent(text: string, options: GetOptions): Promise<void> {
  const { gateway: urls, output } = options
  for (const url of urls) {
    if (URL.canParse(url) && /^https?:/.test(url)) continue
    throw new CommandError(`--gateway ${url} is not an HTTP URL`, {
      hint: 'Pass for example https://ipfs.example, without /ipfs.',
    })
  }
  const directory = await directoryOf(options)
  const gateways = urls.length === 0 ? undefined : httpGateways({ urls })
  const store = createContentStore({ directory, gateways })
  const cid = text.replace(/^(ipfs:\/\/|\/ipfs\/)/, '')
  const file = await store.get(cid).catch((error) => {
    throw asCommandError(error, directory)
  })
  if (output !== undefined) {
    await writeOutput(output, file).catch((cause) => {
      throw new CommandError(`Cannot write ${output}`, { hint: 'Check the path.', cause })
    })
  }
  if (options.json) {
    if (output === undefined)
      throw new CommandError('--json requires --output', {
        hint: 'Add --output FILE: standard output has the description.',
      })
    console.log(JSON.stringify({ cid, bytes: file.length, output }))
  } else if (output === undefined) {
    await new Promise<void>((resolve, reject) => {
      process.stdout.write(file, (error) => (error ? reject(error) : resolve()))
    })
  }
}
