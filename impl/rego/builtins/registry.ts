import { aggregateBuiltins } from './aggregates.ts'
import { arrayBuiltins } from './arrays.ts'
import { awsBuiltins } from './awsSign.ts'
import { bitBuiltins } from './bits.ts'
import type { Builtin } from './builtin.ts'
import { comparisonBuiltins } from './comparison.ts'
import { debugBuiltins, refusedBuiltins } from './debug.ts'
import { deprecatedBuiltins } from './deprecated.ts'
import { encodingBuiltins } from './encoding.ts'
import { globBuiltins } from './glob.ts'
import { globsMatchBuiltins } from './globsMatch.ts'
import { graphBuiltins } from './graph.ts'
import { graphqlBuiltins } from './graphql.ts'
import { hashBuiltins } from './hashes.ts'
import { jsonBuiltins } from './json.ts'
import { jsonPatchBuiltins } from './jsonPatch.ts'
import { jsonPathBuiltins } from './jsonPaths.ts'
import { jsonSchemaBuiltins } from './jsonSchema.ts'
import { jwtBuiltins } from './jwt.ts'
import { netBuiltins } from './net.ts'
import { numberBuiltins } from './numbers.ts'
import { objectBuiltins } from './objects.ts'
import { regexBuiltins } from './regex.ts'
import { templateBuiltins } from './renderTemplate.ts'
import { semverBuiltins } from './semver.ts'
import { setBuiltins } from './sets.ts'
import { sprintfBuiltins } from './sprintf.ts'
import { stringBuiltins } from './strings.ts'
import { timeBuiltins } from './time.ts'
import { typeBuiltins } from './typeNames.ts'
import { unitBuiltins } from './units.ts'
import { uuidBuiltins } from './uuid.ts'
import { x509Builtins } from './x509.ts'
import { yamlBuiltins } from './yaml.ts'

/** All built-ins of OPA that the engine has, by name. Does not include extensions. */
export const builtins: ReadonlyMap<string, Builtin> = new Map(
  [
    comparisonBuiltins,
    numberBuiltins,
    bitBuiltins,
    aggregateBuiltins,
    arrayBuiltins,
    setBuiltins,
    objectBuiltins,
    jsonBuiltins,
    jsonPathBuiltins,
    jsonPatchBuiltins,
    stringBuiltins,
    sprintfBuiltins,
    regexBuiltins,
    globsMatchBuiltins,
    globBuiltins,
    typeBuiltins,
    encodingBuiltins,
    timeBuiltins,
    unitBuiltins,
    semverBuiltins,
    uuidBuiltins,
    graphBuiltins,
    yamlBuiltins,
    jsonSchemaBuiltins,
    netBuiltins,
    hashBuiltins,
    jwtBuiltins,
    x509Builtins,
    graphqlBuiltins,
    awsBuiltins,
    templateBuiltins,
    debugBuiltins,
    refusedBuiltins,
    deprecatedBuiltins,
  ]
    .flat()
    .map((builtin) => [builtin.name, builtin]),
)
