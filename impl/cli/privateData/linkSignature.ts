import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Address, Bytes32 } from 'polgate-protocol/scalars.ts'
import { CommandError } from '../commandDefinition.ts'
import { readText } from '../policy/inputFiles.ts'

/** What `identity link --sign-only` prints and `--signed` takes. Not secret. */
const LinkSignature = Type.Object(
  {
    chainId: Type.Integer(),
    identityRegistry: Address,
    identityOwner: Address,
    policyClient: Address,
    clientUser: Address,
    identityDomains: Type.Array(Bytes32, { minItems: 1, maxItems: 50 }),
    /** Unix seconds. */
    deadline: Type.Integer(),
    signer: Address,
    signature: Type.String({ pattern: '^0x([0-9a-fA-F]{2}){1,10000}$' }),
  },
  { additionalProperties: false },
)
export type LinkSignature = Omit<
  Readonly<Static<typeof LinkSignature>>,
  'signature' | 'identityDomains'
> & {
  readonly signature: `0x${string}`
  readonly identityDomains: readonly `0x${string}`[]
}

/** @throws CommandError */
export async function readLinkSignature(path: string): Promise<LinkSignature> {
  const text = await readText(path, 64 * 1024)
  try {
    const value: unknown = JSON.parse(text)
    if (Value.Check(LinkSignature, value)) return value as LinkSignature
  } catch {
    // Below.
  }
  throw new CommandError(`${path} is not a signature of a link`, {
    hint: 'polgate identity link --sign-only prints one.',
  })
}
