import type { Builtin } from '../builtins/builtin.ts'
import { jsonSchemaBuiltins } from '../builtins/jsonSchema.ts'

/** `json.match_schema` and `json.verify_schema` */
export const jsonSchema: readonly Builtin[] = jsonSchemaBuiltins
