import type { Builtin } from '../builtins/builtin.ts'
import { semverBuiltins } from '../builtins/semver.ts'

/** `semver.*` */
export const semver: readonly Builtin[] = semverBuiltins
