import { allBuiltins } from '../builtins/registry.ts'

/** All built-ins of all groups, for programs that do not know their policies. Needs Node. */
export const all = allBuiltins
