import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { replaceFile } from 'polgate-lib/files/replaceFile.ts'
import { Address } from 'polgate-protocol/scalars.ts'
import { CommandError } from '../commandDefinition.ts'

/** A step that may have been sent when the process ended. */
const Pending = Type.Object({
  step: Type.String(),
  /** Of the deployer's transaction. */
  nonce: Type.Integer(),
  /** Latest block before it. */
  block: Type.Integer(),
})

/** What was published on one chain by one account. Contains no key. */
const Publication = Type.Object({
  chainId: Type.Integer(),
  policyFactory: Address,
  deployer: Address,
  /** Of each oracle by its id. */
  policyData: Type.Record(Type.String(), Address),
  policy: Type.Optional(Address),
  client: Type.Optional(
    Type.Object({
      address: Address,
      /** Hash of the code and of the arguments that only a new contract can change. */
      code: Type.String(),
    }),
  ),
  pending: Type.Optional(Pending),
})
export type Publication = Static<typeof Publication>

const StateFile = Type.Object({
  version: Type.Literal(1),
  publications: Type.Array(Publication),
})

/** Name of the state file in the folder of a package: what was published where. */
export const publishedFileName = '.published.json'
/** The same of a stack that `polgate dev` runs in a process; its chain ends with it. */
export const publishedFileOf = (pid: number): string => `.published.dev-${pid}.json`

type Where = Pick<Publication, 'chainId' | 'policyFactory' | 'deployer'>

const sameHex = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** All publications of a package. @throws CommandError for a file that this release did not write */
export async function readPublications(
  directory: string,
  fileName: string = publishedFileName,
): Promise<readonly Publication[]> {
  const path = join(directory, fileName)
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined
    throw new CommandError(`cannot read ${path}: ${cause.code}`, { hint: 'Check the file.', cause })
  })
  if (text === undefined) return []
  try {
    const value: unknown = JSON.parse(text)
    if (Value.Check(StateFile, value)) return value.publications
  } catch {
    // Below.
  }
  throw new CommandError(`${path} is not the state of publications`, {
    hint: 'Restore it from version control. Without it, publish deploys everything again.',
  })
}

/** The publication on this chain by this account, or an empty one. */
export async function readPublication(
  directory: string,
  where: Where,
  fileName?: string,
): Promise<Publication> {
  const all = await readPublications(directory, fileName)
  return all.find((each) => isAt(each, where)) ?? { ...where, policyData: {} }
}

/**
 * The latest publication with a client on a chain, by any account.
 *
 * @param where.pid of the process of a local stack: what `polgate dev` has published there comes first
 * @throws CommandError if there is none
 */
export async function publishedOn(
  directory: string,
  {
    chainId,
    policyFactory,
    pid,
  }: {
    readonly chainId: number
    readonly policyFactory?: string | undefined
    readonly pid?: number | undefined
  },
): Promise<Publication> {
  const ofStack = pid === undefined ? [] : await readPublications(directory, publishedFileOf(pid))
  const found = [...(await readPublications(directory)), ...ofStack].findLast(
    (each) =>
      each.chainId === chainId &&
      each.client !== undefined &&
      (policyFactory === undefined ||
        each.policyFactory.toLowerCase() === policyFactory.toLowerCase()),
  )
  if (found !== undefined) return found
  throw new CommandError(`the package is not published on chain ${chainId}`, {
    hint: 'Run polgate policy publish first, or name another client: --client NAME.',
  })
}

const isAt = (publication: Publication, where: Where) =>
  publication.chainId === where.chainId &&
  sameHex(publication.policyFactory, where.policyFactory) &&
  sameHex(publication.deployer, where.deployer)

/** Writes the state atomically; other publications stay. */
export async function writePublication(
  directory: string,
  publication: Publication,
  fileName: string = publishedFileName,
): Promise<void> {
  const all = await readPublications(directory, fileName)
  const others = all.filter((each) => !isAt(each, publication))
  const value = { version: 1, publications: [...others, publication] }
  await replaceFile(join(directory, fileName), `${JSON.stringify(value, null, 2)}\n`)
}

export const hashOf = (...texts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(texts)).digest('hex')
