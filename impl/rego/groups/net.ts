import type { Builtin } from '../builtins/builtin.ts'
import { netBuiltins } from '../builtins/net.ts'

/** `net.*` */
export const net: readonly Builtin[] = netBuiltins
