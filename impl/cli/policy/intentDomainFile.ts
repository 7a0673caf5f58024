import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { IntentDomain } from 'polgate-lib/intents/intentDomain.ts'
import { Address, Bytes32, Quantity } from 'polgate-protocol/scalars.ts'
import { CommandError } from '../commandDefinition.ts'
import { readJson } from './inputFiles.ts'

/** A signing domain as JSON: only members that `eip712Domain()` of the client returns. */
const IntentDomainFile = Type.Partial(
  Type.Object({
    name: Type.String(),
    version: Type.String(),
    chainId: Type.Union([
      Type.Integer({ minimum: 0 }),
      Type.BigInt({ minimum: 0n }),
      Type.String({ pattern: '^(0|[1-9][0-9]{0,76})$' }),
      Quantity,
    ]),
    verifyingContract: Address,
    salt: Bytes32,
  }),
  { additionalProperties: false },
)

/** @throws CommandError with the file and the invalid member */
export async function readIntentDomainFile(path: string): Promise<IntentDomain> {
  const file = await readJson(path)
  if (!Value.Check(IntentDomainFile, file)) {
    const { path: member = '', message = 'is not a signing domain' } =
      Value.Errors(IntentDomainFile, file).First() ?? {}
    throw new CommandError(`${path}: ${member === '' ? 'the domain' : member}: ${message}`, {
      hint: 'Use what eip712Domain() of the client returns: name, version, chainId, verifyingContract.',
    })
  }
  const { chainId, verifyingContract, ...rest }: Static<typeof IntentDomainFile> = file
  return {
    ...rest,
    ...(chainId === undefined ? {} : { chainId: BigInt(chainId) }),
    // Addresses are case-insensitive (section 2.1).
    ...(verifyingContract === undefined
      ? {}
      : { verifyingContract: verifyingContract.toLowerCase() as Address }),
  }
}
