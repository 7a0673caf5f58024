import type { Builtin } from '../builtins/builtin.ts'
import { x509Builtins } from '../builtins/x509.ts'

/** `crypto.x509.*` and `crypto.parse_private_keys`. Needs Node. */
export const x509: readonly Builtin[] = x509Builtins
