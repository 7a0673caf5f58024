import { sameButOrder, sameDocuments, sameNames, theirsIsLonger, theirsIsPart } from './alike.ts'
import { shown } from './answers.ts'
import { type Matcher, NOTHING } from './matcher.ts'
import { asIndexed, inOtherOrders } from './opaIndex.ts'
import {
  renamed,
  withComparableComprehensions,
  withoutCalls,
  withoutHeadObjects,
} from './rewrite.ts'
import {
  hasCapturedHead,
  hasKeysThatMayBeEqual,
  hasVaryingMembers,
  isBesideComprehension,
  isOfPartsOf,
  sameButEmptyHeads,
} from './structure.ts'
import { withoutPrints } from './without.ts'

const ELEMENTS_REFUSED =
  /^rego_type_error: (count|sum|product|max|min|sort|concat|strings\.any_\w+|net\.\w+|graph\.\w+|json\.\w+|object\.\w+|union|intersection|urlquery\.encode_object|glob\.match|time\.\w+): invalid argument/

/**
 * By the id of an entry of the page of differences. An entry without one is matched by its own program:
 * by what is special in it and by the sorts of its answers.
 */
export const MATCHERS: Readonly<Record<string, Matcher | readonly Matcher[]>> = {
  'comprehension-over-an-argument': [
    {
      peer: 'opa',
      kinds: ['rule: function'],
      source: /\|/,
      ours: /^(?!rego_)/,
      theirs: /^rego_type_error: (?:match error|.*invalid argument)/,
      exact: true,
    },
    {
      peer: 'opa',
      ours: /^(?!rego_)/,
      theirs: /^rego_type_error: match error/,
      cause: ({ found }) => hasCapturedHead(found.program),
      exact: true,
    },
  ],
  'repeated-keys': [
    {
      peer: 'opa',
      cause: (evidence) => hasKeysThatMayBeEqual(evidence.found.program) && evidence.isOfProfiles(),
    },
    // Another of the values, in an order of references that OPA has.
    {
      peer: 'opa',
      alike: sameNames,
      cause: ({ found }) =>
        hasKeysThatMayBeEqual(found.program) && isOfPartsOf(found.program, found.theirs),
    },
  ],
  'unsafe-variable-beside-a-comprehension': {
    peer: 'opa',
    ours: /^rego_unsafe_var_error/,
    theirs: /^(?!rego_unsafe_var_error)/,
    cause: ({ found }) => {
      const name = /var (\w+) is unsafe/.exec(shown(found.ours))?.[1]
      return name !== undefined && isBesideComprehension(found.program, name)
    },
  },
  'types-within-every': {
    peer: 'opa',
    source: /\bevery\b/,
    ours: /^rego_type_error/,
    theirs: /^(?!rego_)/,
    cause: (evidence) => evidence.isTypeErrorOfEvery(),
    exact: true,
  },
  'types-beside-with': {
    peer: 'opa',
    kinds: ['with'],
    // Another fault that this engine finds is not of the types.
    ours: /^(?!rego_)/,
    theirs: /^rego_type_error/,
    cause: (evidence) => evidence.isTypeErrorWithoutWith(),
    exact: true,
  },
  'empty-object-beside-a-dynamic-key': {
    peer: 'opa',
    kinds: ['rule: reference'],
    alike: theirsIsPart,
    cause: ({ found }) => sameButEmptyHeads(found.program, found.ours, found.theirs),
    exact: true,
  },
  'integers-written-as-fractions': [
    {
      peer: 'opa',
      source: /\d\.0\b/,
      ours: /^[^e]/,
      theirs: /^(undefined|\{|eval_type_error)/,
    },
    {
      // Another fault is found here, because the call has a result.
      peer: 'opa',
      source: /\d\.0\b/,
      ours: /^eval_/,
      theirs: /^eval_type_error: .* but got floating-point number/,
      cause: ({ found, calls }) => {
        const name = /^\w+: ([\w.]+): /.exec(shown(found.theirs))?.[1]
        return calls.some((each) => each.name === name && each.result !== undefined)
      },
    },
  ],
  'styles-of-yaml': {
    peer: 'opa',
    calls: ['yaml.marshal'],
    alike: sameDocuments,
    exact: true,
  },
  'graphql-default-values': {
    peer: 'opa',
    alike: (ours, theirs) =>
      shown(ours).replace(/(?<=[{,])"ExpectedTypeHasDefault":(?:true|false),?/g, '') ===
      shown(theirs),
    exact: true,
  },
  'print-of-an-unsafe-variable': [
    {
      peer: 'opa',
      calls: ['print'],
      ours: /^rego_unsafe_var_error/,
      theirs: /^rego_compile_error: var \S+ is undeclared/,
    },
    {
      // It has a value.
      peer: 'opa',
      calls: ['print'],
      theirs: /^rego_compile_error: var \S+ is undeclared/,
      cause: (evidence) => evidence.isOwnAnswerTo((program) => withoutPrints(program) ?? program),
      exact: true,
    },
  ],
  'elements-of-operands-of-several-types': [
    {
      peer: 'opa',
      ours: ELEMENTS_REFUSED,
      // A value would show that the operand fits.
      theirs: new RegExp(`${NOTHING.source}|^eval_`),
      exact: true,
    },
    {
      peer: 'opa',
      ours: ELEMENTS_REFUSED,
      theirs: /^(?!\w+_error)/,
      cause: (evidence) => {
        const name = ELEMENTS_REFUSED.exec(shown(evidence.found.ours))?.[1]
        return name !== undefined && evidence.isSameAs(withoutCalls(name))
      },
      exact: true,
    },
  ],
  'error-where-a-value-is-not-needed': [
    {
      peer: 'opa',
      ours: /^(?!\w+_error)/,
      theirs: /^eval_(builtin|type)_error/,
      cause: (evidence) =>
        evidence.isFailureNotReached() &&
        evidence.isOwnAnswerTo((program) => ({ ...program, strict: false })),
      exact: true,
    },
    {
      peer: 'opa',
      ours: /^(?!\w+_error)/,
      theirs: /^eval_(builtin|type|conflict)_error/,
      cause: (evidence) =>
        /conflict/.test(shown(evidence.found.theirs))
          ? evidence.isFailureOfRuleAlone()
          : evidence.isFailureNotReached(),
      exact: true,
    },
    {
      peer: 'regorus',
      ours: /^(?!\w+_error)/,
      theirs: /generated multiple times|produce multiple outputs/,
      cause: (evidence) => evidence.isFailureOfRuleAlone('eval_conflict_error'),
    },
    {
      peer: 'regorus',
      ours: /^eval_(builtin|type)_error/,
      theirs: /^(?!error)/,
      cause: (evidence) =>
        evidence.isOwn() &&
        evidence.isSameWithoutErrors((ours, theirs) =>
          sameButEmptyHeads(evidence.found.program, ours, theirs),
        ),
    },
    {
      peer: 'opa',
      ours: /^eval_(builtin|type)_error/,
      theirs: /^(?!\w+_error)/,
      cause: (evidence) => evidence.isOwn() && evidence.isSameWithoutErrors(),
    },
  ],
  'members-of-sets-of-references': {
    peer: 'opa',
    kinds: ['literal: some in'],
    alike: theirsIsLonger,
    cause: ({ found }) => hasVaryingMembers(found.program),
  },
  'order-of-sets-of-references': {
    peer: 'opa',
    alike: sameButOrder,
    cause: ({ found }) => hasVaryingMembers(found.program),
  },
  'indexed-conditions-first': {
    peer: 'opa',
    ours: /^eval_(?:conflict|builtin|type)_error/,
    theirs: /^(?!\w+_error)/,
    cause: (evidence) => evidence.isSameAs(asIndexed),
    exact: true,
  },
  'rules-in-the-index-last': {
    peer: 'opa',
    rules: 2,
    ours: /^eval_(?:conflict|builtin|type)_error/,
    theirs: /^(?!\w+_error)/,
    cause: (evidence) => evidence.isSameAsOneOf(inOtherOrders),
    exact: true,
  },
  'first-of-several-faults': [
    {
      peer: 'opa',
      ours: /^(?:rego_\w+|eval_(?:builtin|type|conflict))_error/,
      theirs: /^(?:rego_\w+|eval_(?:builtin|type|conflict))_error/,
      cause: (evidence) => evidence.isFaultFoundToo(),
    },
    // OPA reads on after a mistake, or compiles another module first.
    {
      peer: 'opa',
      ours: /^rego_parse_error/,
      theirs: /^rego_(?:unsafe_var|type|compile|recursion)_error/,
      exact: true,
    },
    {
      peer: 'opa',
      ours: /^rego_\w+_error/,
      theirs: /^rego_\w+_error/,
      cause: (evidence) => evidence.isFaultFoundToo(),
      exact: true,
    },
  ],
  'comprehensions-of-another-kind': {
    peer: 'opa',
    ours: /^eval_(?:conflict|builtin|type)_error/,
    theirs: /^(?!\w+_error)/,
    cause: (evidence) => evidence.isSameAs(withComparableComprehensions),
    exact: true,
  },
  'types-of-reference-heads': [
    {
      peer: 'opa',
      kinds: ['rule: reference'],
      // The expression can never hold.
      ours: new RegExp(`${NOTHING.source}|^eval_(?:type|builtin)_error`),
      theirs: /^rego_type_error/,
      exact: true,
    },
    {
      peer: 'opa',
      kinds: ['rule: reference'],
      ours: /^(?!\w+_error)/,
      theirs: /^rego_type_error: match error/,
      cause: (evidence) => evidence.isOwnAnswerToOther(withoutHeadObjects),
      exact: true,
    },
    {
      peer: 'opa',
      kinds: ['rule: reference'],
      ours: /^(?!\w+_error)/,
      theirs: /^rego_type_error/,
    },
  ],
  'internal-test-case-as-a-value': [
    {
      calls: ['internal.test_case'],
      theirs: /internal\.test_case\(.*used as value|could not find function internal\.test_case/,
      cause: (evidence) => evidence.isOwnAnswerTo(renamed(/\binternal\.test_case\(/g, 'is_array(')),
      exact: true,
    },
    {
      peer: 'opa',
      calls: ['internal.print', 'internal.test_case'],
      ours: /^(?!rego_)/,
      theirs: /^rego_type_error: internal\.(?:print|test_case)\(.*used as value/,
      exact: true,
    },
  ],
}
