import { sameButDigits } from './alike.ts'
import { type Matcher, NO_ERROR, WALK_FOR_ITS_RESULT } from './matcher.ts'
import { withFirstKeys, withoutEmptyHeadObjects, withoutUndefinedHeads } from './rewrite.ts'
import { sameButDigitsOfFloats } from './sameNumbers.ts'
import { sameButEmptyHeads } from './structure.ts'

/** Entries about rules, types and numbers that the engine at 0.9 has otherwise. */
export const ENGINE_MATCHERS: Readonly<Record<string, Matcher | readonly Matcher[]>> = {
  'engine-digits-of-fractions': {
    peer: 'regorus',
    ours: /\d\.\d/,
    alike: sameButDigits,
  },
  'engine-large-integers': [
    { peer: 'regorus', alike: sameButDigitsOfFloats },
    {
      // Its floats of both, divided, are another float than the quotient's.
      peer: 'regorus',
      made: ({ name, args }) => name === 'div' && args.some((each) => typeof each === 'bigint'),
      alike: sameButDigits,
    },
  ],
  'engine-numbers-out-of-range': {
    peer: 'regorus',
    theirs: /cannot parse number: out of range/,
    ours: NO_ERROR,
  },
  'engine-some-twice': {
    peer: 'regorus',
    theirs: /duplicated definition of local variable/,
    ours: /^[^r]/,
  },
  'engine-calls-through-imports': {
    peer: 'regorus',
    source: /\bimport data\b/,
    theirs: /could not find function \w+\.\w+$/,
  },
  'engine-evaluates-values-first': {
    peer: 'regorus',
    ours: NO_ERROR,
    theirs: /^error: (?!error: (could not find|expecting|not a valid ref))/,
    cause: (evidence) => evidence.isFailureNotReached(),
  },
  'engine-destructuring': { peer: 'regorus', theirs: /incompatible destructuring patterns/ },
  'engine-operators-by-name': {
    peer: 'regorus',
    theirs: /could not find function (\w+|internal\.\w+)$/,
  },
  'engine-keys-of-heads': { peer: 'regorus', theirs: /not a valid ref/ },
  'engine-empty-extents': [
    {
      peer: 'regorus',
      cause: ({ found }) => sameButEmptyHeads(found.program, found.ours, found.theirs),
    },
    {
      peer: 'regorus',
      kinds: ['rule: reference'],
      cause: (evidence) => evidence.isSameAs(withoutEmptyHeadObjects),
      exact: true,
    },
  ],
  'engine-undefined-heads': [
    {
      peer: 'regorus',
      ours: NO_ERROR,
      theirs: /^error: not an object$/,
      cause: (evidence) => !evidence.isOwnAnswerTo(withoutUndefinedHeads),
    },
    { peer: 'regorus', cause: (evidence) => evidence.isSameAs(withoutUndefinedHeads) },
  ],
  'engine-entries-after-the-first': {
    peer: 'regorus',
    kinds: ['rule: reference'],
    cause: (evidence) => evidence.isSameAs(withFirstKeys),
  },
  'engine-scheduling': {
    peer: 'regorus',
    theirs: /statements not scheduled|used before definition below|is unsafe/,
    ours: /^[^r]/,
  },
  'engine-some-in-a-scalar': { peer: 'regorus', theirs: /expects array\/set\/object/ },
  'engine-parentheses-after-a-line': {
    peer: 'regorus',
    theirs: /expecting `}` while parsing query|could not find function (?:data|input)\./,
  },
  'engine-walk-as-a-call': WALK_FOR_ITS_RESULT,
  'engine-operands-of-other-types': {
    peer: 'regorus',
    theirs: /expects (numeric|set) arguments?|modulo on floating-point|expects .* argument\. Got/,
    ours: /^[^r]/,
  },
  'engine-unused-variables': {
    peer: 'regorus',
    ours: /^rego_compile_error/,
    theirs: /^[^e]/,
  },
  'engine-recursion': { peer: 'regorus', ours: /^rego_recursion_error/, theirs: /^[^e]/ },
  'engine-types': { peer: 'regorus', ours: /^rego_type_error/, theirs: /^[^e]/ },
  'engine-unsafe-variables': { peer: 'regorus', ours: /^rego_unsafe_var_error/, theirs: /^[^e]/ },
}
