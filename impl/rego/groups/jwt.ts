import type { Builtin } from '../builtins/builtin.ts'
import { jwtBuiltins } from '../builtins/jwt.ts'

/** `io.jwt.*`. Needs Node. */
export const jwt: readonly Builtin[] = jwtBuiltins
