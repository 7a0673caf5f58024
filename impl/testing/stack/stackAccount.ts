import type { Address, Hex } from 'polgate-protocol/scalars.ts'

/** A funded account of the local chain. Its key is public or temporary, and without value elsewhere. */
export type StackAccount = { readonly address: Address; readonly privateKey: Hex }
