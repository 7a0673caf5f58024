import { Hex } from '../../ui/Hex.tsx'
import type { Names } from './names.ts'

/** An address, with its name where it has one. */
export const Address = (props: { readonly value: string; readonly names: Names }) => (
  <Hex value={props.value} name={props.names.get(props.value.toLowerCase())} />
)
