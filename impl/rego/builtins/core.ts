import { aggregateBuiltins } from './aggregates.ts'
import { arrayBuiltins } from './arrays.ts'
import { bitBuiltins } from './bits.ts'
import type { Builtin } from './builtin.ts'
import { comparisonBuiltins } from './comparison.ts'
import { debugBuiltins, refusedBuiltins } from './debug.ts'
import { deprecatedBuiltins } from './deprecated.ts'
import { encodingBuiltins } from './encoding.ts'
import { graphBuiltins } from './graph.ts'
import { jsonBuiltins } from './json.ts'
import { jsonPatchBuiltins } from './jsonPatch.ts'
import { jsonPathBuiltins } from './jsonPaths.ts'
import { numberBuiltins } from './numbers.ts'
import { objectBuiltins } from './objects.ts'
import { setBuiltins } from './sets.ts'
import { sprintfBuiltins } from './sprintf.ts'
import { stringBuiltins } from './strings.ts'
import { typeBuiltins } from './typeNames.ts'
import { unitBuiltins } from './units.ts'
import { uuidBuiltins } from './uuid.ts'

/** Built-ins that need no other package: what every policy may call. The others are in `groups`. */
export const coreBuiltins: readonly Builtin[] = [
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
  typeBuiltins,
  encodingBuiltins,
  unitBuiltins,
  uuidBuiltins,
  graphBuiltins,
  debugBuiltins,
  refusedBuiltins,
  deprecatedBuiltins,
].flat()

export const byName = (builtins: Iterable<Builtin>): ReadonlyMap<string, Builtin> =>
  new Map([...builtins].map((each) => [each.name, each]))

/** The core by name: the default of an engine. */
export const coreByName: ReadonlyMap<string, Builtin> = byName(coreBuiltins)
