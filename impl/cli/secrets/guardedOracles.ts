import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createChainClient } from 'polgate-chain/client.ts'
import { readClientContext } from 'polgate-chain/reads.ts'
import { contentDirectory } from 'polgate-local/chainImage.ts'
import { createContentStore } from 'polgate-service/content/contentStore.ts'
import { fileBlocks, unixFsV1 } from 'polgate-service/content/fileLayout.ts'
import { CommandError } from '../commandDefinition.ts'
import { loadPolicyPackage } from '../package/loadPolicyPackage.ts'
import { type PolicyPackage, packageFileName, type TextFile } from '../package/policyPackage.ts'
import { publishedOn } from '../publish/publication.ts'
import { chainOf, findTarget, type ServiceTarget } from '../stack/serviceTarget.ts'
import { clientAddress } from '../task/intentOptions.ts'

type Hex = `0x${string}`

/** An oracle that needs secrets. */
export type GuardedOracle = {
  /** Of the package or of the target, else its address. */
  readonly name: string
  readonly address: Hex
  readonly schemaCid: string
}

export type GuardedOracles = {
  readonly target: ServiceTarget
  readonly policyClient: Hex
  readonly oracles: readonly GuardedOracle[]
  /** The schema of an oracle. @throws CommandError where it is not on this machine */
  readonly schemaOf: (oracle: GuardedOracle) => Promise<TextFile>
}

export type ClientOptions = { readonly target?: string; readonly client?: string }

/**
 * The oracles of a client on chain that need secrets: that of `--client`, else of a published package.
 *
 * @throws CommandError, ChainReadError
 */
export async function guardedOracles(
  folder: string | undefined,
  values: readonly string[],
  options: ClientOptions,
): Promise<GuardedOracles> {
  refuseValues([...(folder?.includes('=') ? [folder] : []), ...values])
  const directory = folder ?? '.'
  const isPackage = await stat(join(directory, packageFileName)).then(
    (found) => found.isFile(),
    () => false,
  )
  if (!isPackage && (folder !== undefined || options.client === undefined))
    throw new CommandError(`${directory} has no ${packageFileName}`, {
      hint: 'Name the folder of a published package, or a client of the target: --client NAME.',
    })
  const given = isPackage ? await loadPolicyPackage(directory) : undefined
  const target = await findTarget(options.target)
  const chain = chainOf(target)
  const published =
    given === undefined || options.client !== undefined
      ? undefined
      : await publishedOn(given.directory, { ...chain, pid: target.stack?.pid })
  const policyClient =
    (published?.client?.address as Hex | undefined) ?? clientAddress(target, options.client)
  const names = new Map(
    [
      ...Object.entries(published?.policyData ?? {}).map(([id, address]) => [address, id] as const),
      ...Object.values(target.clients).flatMap(({ policyData }) =>
        policyData.map(({ address, packId }) => [address, packId] as const),
      ),
    ].map(([address, name]) => [address.toLowerCase(), name] as const),
  )
  const client = createChainClient({ rpcUrl: chain.rpcUrl })
  const { policyData } = await readClientContext({ client, policyClient })
  const oracles = policyData
    .filter(({ secretsSchemaCid }) => secretsSchemaCid !== '')
    .map(({ policyDataAddress: address, secretsSchemaCid: schemaCid }) => {
      const name = names.get(address.toLowerCase()) ?? address
      return { name, address, schemaCid }
    })
  const directoryOfContents = target.stack?.contentDirectory ?? contentDirectory
  return {
    ...{ target, policyClient, oracles },
    schemaOf: (oracle) => schemaFile(oracle, given, directoryOfContents),
  }
}

function refuseValues(values: readonly string[]): void {
  if (values.length === 0) return
  throw new CommandError('secrets are not accepted on the command line', {
    hint: "The shell's history and other users would see them. Use --file, --env NAME, or standard input; and change a secret that was typed here.",
  })
}

/** From the package where it is the published one, else from the content store: checked by its id. */
async function schemaFile(
  { name, schemaCid }: GuardedOracle,
  given: PolicyPackage | undefined,
  directory: string,
): Promise<TextFile> {
  for (const { secretsSchema } of given?.oracles ?? []) {
    if (secretsSchema === undefined) continue
    const blocks = [...fileBlocks(Buffer.from(secretsSchema.text), unixFsV1)]
    if (String(blocks.at(-1)?.cid) === schemaCid) return secretsSchema
  }
  const bytes = await createContentStore({ directory })
    .get(schemaCid)
    .catch(() => undefined)
  if (bytes !== undefined)
    return { path: `content ${schemaCid}`, text: Buffer.from(bytes).toString() }
  throw new CommandError(
    `the secrets schema ${schemaCid} of oracle ${name} is not on this machine`,
    {
      hint:
        given === undefined
          ? 'Store it with polgate content add, or run this in the folder of the package.'
          : 'The package has changed since it was published: run polgate policy publish.',
    },
  )
}

/** The oracle of `--oracle`, or the only one. @throws CommandError */
export function oracleOf(
  { oracles, policyClient }: GuardedOracles,
  wanted: string | undefined,
): GuardedOracle {
  const names = oracles.map(({ name }) => name).join(', ') || 'none'
  if (oracles.length === 0)
    throw new CommandError(`no oracle of the client ${policyClient} needs secrets`, {
      hint: 'An oracle needs secrets if its PolicyData has a secrets schema.',
    })
  const found =
    wanted === undefined
      ? oracles
      : oracles.filter(
          ({ name, address }) => name === wanted || address.toLowerCase() === wanted.toLowerCase(),
        )
  const [first] = found
  if (first !== undefined && found.length === 1) return first
  throw new CommandError(
    wanted === undefined ? 'several oracles need secrets' : `unknown oracle ${wanted.slice(0, 80)}`,
    { hint: `Choose one with --oracle: ${names}.` },
  )
}
