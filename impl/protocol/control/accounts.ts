import { type Static, Type } from '@sinclair/typebox'
import { Address, Bytes32 } from '../scalars.ts'

/** A development account of a local stack. All are public, and the same on every machine. */
export const DevAccount = Type.Object({
  name: Type.String(),
  address: Address,
  /** Absent: it only receives. */
  privateKey: Type.Optional(Bytes32),
})
export type DevAccount = Static<typeof DevAccount>

/** Answer of `GET /accounts`. */
export const DevAccounts = Type.Object({ accounts: Type.Array(DevAccount) })
export type DevAccounts = Static<typeof DevAccounts>
