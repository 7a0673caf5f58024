import { parse } from 'yaml'
import type { Builtin } from './builtin.ts'
import { ANY, arrayOf } from './types.ts'

const readAnnotations = (text: string): unknown => parse(text, { maxAliasCount: 100 })

/** The machine computes both, which it can for each rule when it builds it. */
export const metadataBuiltins: readonly Builtin[] = [
  {
    name: 'rego.metadata.chain',
    args: [],
    result: arrayOf(ANY),
    nondeterministic: true,
    readAnnotations,
    call: (ctx) => ctx.hooks?.metadataChain?.(),
  },
  {
    name: 'rego.metadata.rule',
    args: [],
    result: ANY,
    nondeterministic: true,
    readAnnotations,
    call: (ctx) => ctx.hooks?.metadataRule?.(),
  },
]
