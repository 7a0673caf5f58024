import { type Static, Type } from '@sinclair/typebox'
import { Bytes32 } from '../scalars.ts'

/**
 * Reference of sealed identity and confidential data (section 4.10, decision K5): with `0x`
 * (decision E4), in any letter case.
 */
export const DataReference = Type.Object({ data_ref_id: Bytes32 })
export type DataReference = Static<typeof DataReference>
