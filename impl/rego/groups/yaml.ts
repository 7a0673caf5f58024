import type { Builtin } from '../builtins/builtin.ts'
import { metadataBuiltins } from '../builtins/metadata.ts'
import { yamlBuiltins } from '../builtins/yaml.ts'

/** `yaml.*`, and `rego.metadata.*`, which reads annotations in YAML. */
export const yaml: readonly Builtin[] = [...yamlBuiltins, ...metadataBuiltins]
