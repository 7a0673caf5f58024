import { type Static, Type } from '@sinclair/typebox'
import { Address } from '../scalars.ts'

/** An element of `GET /chain/accounts`: an address of the stack with a name. */
export const NamedAddress = Type.Object({
  name: Type.String(),
  address: Address,
  role: Type.Union([
    Type.Literal('account'),
    Type.Literal('operator'),
    Type.Literal('contract'),
    Type.Literal('client'),
  ]),
})
export type NamedAddress = Static<typeof NamedAddress>

/** An element of `GET /chain/snapshots`: a state to which the stack can be reverted. */
export const ChainSnapshot = Type.Object({
  id: Type.String(),
  /** Unix milliseconds of the clock of the stack. */
  at: Type.Integer(),
  /** The latest block of the first chain. */
  block: Type.Integer(),
})
export type ChainSnapshot = Static<typeof ChainSnapshot>
