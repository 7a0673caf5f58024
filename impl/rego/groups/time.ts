import type { Builtin } from '../builtins/builtin.ts'
import { timeBuiltins } from '../builtins/time.ts'

/** `time.*`; zones are those of the platform. */
export const time: readonly Builtin[] = timeBuiltins
