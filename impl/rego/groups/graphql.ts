import type { Builtin } from '../builtins/builtin.ts'
import { graphqlBuiltins } from '../builtins/graphql.ts'

/** `graphql.*` */
export const graphql: readonly Builtin[] = graphqlBuiltins
