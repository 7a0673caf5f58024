import type { Builtin } from '../builtins/builtin.ts'
import { globBuiltins } from '../builtins/glob.ts'
import { globsMatchBuiltins } from '../builtins/globsMatch.ts'
import { regexBuiltins } from '../builtins/regex.ts'

/** `regex.*` and `glob.*`, in linear time. */
export const regex: readonly Builtin[] = [...regexBuiltins, ...globsMatchBuiltins, ...globBuiltins]
