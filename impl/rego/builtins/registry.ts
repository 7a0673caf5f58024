import { crypto } from '../groups/crypto.ts'
import { graphql } from '../groups/graphql.ts'
import { jsonSchema } from '../groups/jsonSchema.ts'
import { jwt } from '../groups/jwt.ts'
import { net } from '../groups/net.ts'
import { regex } from '../groups/regex.ts'
import { semver } from '../groups/semver.ts'
import { templates } from '../groups/templates.ts'
import { time } from '../groups/time.ts'
import { x509 } from '../groups/x509.ts'
import { yaml } from '../groups/yaml.ts'
import type { Builtin } from './builtin.ts'
import { byName, coreBuiltins } from './core.ts'

/** All built-ins of OPA that the engine has. Does not include extensions. */
export const allBuiltins: readonly Builtin[] = [
  coreBuiltins,
  regex,
  time,
  semver,
  yaml,
  jsonSchema,
  net,
  crypto,
  jwt,
  x509,
  graphql,
  templates,
].flat()

/** The same by name. */
export const builtins: ReadonlyMap<string, Builtin> = byName(allBuiltins)
