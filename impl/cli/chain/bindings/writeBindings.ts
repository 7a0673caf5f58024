import { mkdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { replaceFile } from 'polgate-lib/files/replaceFile.ts'
import { CommandError } from '../../commandDefinition.ts'
import { findStackIfAny } from '../../stack/findStack.ts'
import { findTarget, type ServiceTarget } from '../../stack/serviceTarget.ts'
import { addressesOf, type BoundContract, namedContracts } from './boundContracts.ts'
import { solidityFiles } from './solidityBindings.ts'
import { typescriptErrors, typescriptModule } from './typescriptBindings.ts'

export type BindingsOptions = {
  readonly out: string
  readonly language: string
  readonly target?: string
  readonly json?: boolean
}

/** First line of every file that the command writes, and that it may replace. */
const header = '// Written by polgate chain bindings.\n'

/**
 * `polgate chain bindings`: modules with ABIs and the addresses of the running stack, or Solidity
 * interfaces. The same contracts and stack give the same files.
 *
 * @throws CommandError for unknown names, and for a file that the command did not write
 */
export async function writeBindings(
  names: readonly string[],
  { out, language, target: given, json }: BindingsOptions,
): Promise<void> {
  const contracts = namedContracts(names)
  const files = new Map<string, string>()
  if (language === 'solidity')
    for (const [name, text] of solidityFiles(contracts)) files.set(name, text)
  else for (const [name, text] of await typescriptFiles(contracts, given)) files.set(name, text)
  const folder = resolve(out)
  for (const name of files.keys()) await requireOwn(join(folder, name))
  await mkdir(folder, { recursive: true })
  for (const [name, text] of files) await replaceFile(join(folder, name), header + text)
  const written = [...files.keys()].sort()
  if (json) console.log(JSON.stringify({ folder, files: written }))
  else for (const name of written) console.log(join(out, name))
}

async function typescriptFiles(
  contracts: readonly BoundContract[],
  given: string | undefined,
): Promise<ReadonlyMap<string, string>> {
  const target = await targetOf(given)
  const modules = contracts.map((each): readonly [string, string] => [
    `${each}.ts`,
    typescriptModule(each, target && addressesOf(each, target)),
  ])
  return new Map([...modules, ['contractErrors.ts', typescriptErrors()]])
}

/** Without a target and a running stack there are no addresses. */
async function targetOf(given: string | undefined): Promise<ServiceTarget | undefined> {
  if (given !== undefined) return await findTarget(given)
  const found = await findStackIfAny()
  return found && (await findTarget(found.file))
}

async function requireOwn(path: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return header
    throw new CommandError(`cannot read ${path}: ${cause.code}`, { hint: 'Check it.', cause })
  })
  if (!text.startsWith(header))
    throw new CommandError(`${path} is not a file of this command`, {
      hint: 'Nothing was written. Choose another folder with --out.',
    })
}
