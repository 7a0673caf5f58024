import { Hex } from '../ui/Hex.tsx'
import { useNameOf } from './names.ts'

/** An address, with its name where it has one. */
export const Address = (props: { readonly value: string; readonly href?: string | undefined }) => (
  <Hex value={props.value} href={props.href} name={useNameOf()(props.value)} />
)
