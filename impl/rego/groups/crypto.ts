import { awsBuiltins } from '../builtins/awsSign.ts'
import type { Builtin } from '../builtins/builtin.ts'
import { hashBuiltins } from '../builtins/hashes.ts'

/** Hashes and HMACs of `crypto.*`, and `providers.aws.sign_req`. */
export const crypto: readonly Builtin[] = [...hashBuiltins, ...awsBuiltins]
