import { theirsIsPart } from './alike.ts'
import { shown } from './answers.ts'
import { type Matcher, NO_ERROR, NOTHING, WALK_FOR_ITS_RESULT } from './matcher.ts'
import {
  renamed,
  withBodiesAsElses,
  withBraces,
  withLastArguments,
  withOpenPatterns,
} from './rewrite.ts'
import { hasBodyLikeABlock, hasPackageBelowAnother, hasSetAsKey } from './structure.ts'
import {
  withFunctionsThemselves,
  withoutDomains,
  withoutRulesAsReplacements,
  withTotalMembership,
} from './without.ts'

const KEYWORD =
  '(?:as|contains|default|else|every|false|if|import|in|not|null|package|some|true|with)'
/** By a parser: OPA's, or the one at 0.9. */
const UNREADABLE = /^(?:rego_parse_error|error)\b/
const REFUSED = /^rego_type_error: .*invalid argument/

/** A keyword where a peer reads none. Here it is a name like any other: programs are the same with another name. */
const keywordAsName = (
  source: RegExp,
  name = new RegExp(`(?<=\\.)${KEYWORD}\\b`, 'g'),
): Matcher => ({
  source,
  theirs: UNREADABLE,
  cause: (evidence) => evidence.isOwnWithOtherNames(name),
  exact: true,
})

const KEYWORD_BEFORE_A_DOT = new RegExp(`(?<![.\\w"])${KEYWORD}(?=\\.[A-Za-z_])`, 'g')

/** Matchers of the entries about syntax, rules, functions and documents. */
export const LANGUAGE_MATCHERS: Readonly<Record<string, Matcher | readonly Matcher[]>> = {
  'keyword-in-a-rule-name': keywordAsName(new RegExp(`^\\w+\\.${KEYWORD}\\b`, 'm')),
  'keyword-after-a-dot': keywordAsName(new RegExp(`\\.${KEYWORD}\\b`)),
  'keyword-before-a-dot': keywordAsName(
    new RegExp(KEYWORD_BEFORE_A_DOT.source),
    KEYWORD_BEFORE_A_DOT,
  ),
  'contains-after-a-dot': { peer: 'opa', source: /\.contains\b/, theirs: /^rego_parse_error/ },
  'keyword-in-a-package': keywordAsName(new RegExp(`^package .*\\.${KEYWORD}\\b`)),
  'metadata-without-a-statement': {
    peer: 'opa',
    theirs: /invalid annotation scope ''/,
    cause: (evidence) => evidence.isOwnAnswerTo(renamed(/(?:^#.*\n?)+\s*$/m, '')),
    exact: true,
  },
  'references-with-sets-as-keys': [
    {
      peer: 'opa',
      ours: NO_ERROR,
      theirs: /^rego_type_error: undefined ref/,
      cause: ({ found }) => hasSetAsKey(found.program),
    },
    {
      peer: 'opa',
      ours: /^rego_type_error: undefined ref/,
      theirs: NO_ERROR,
      cause: ({ found }) => hasSetAsKey(found.program),
    },
  ],
  'other-keys-in-an-equation': {
    peer: 'opa',
    source: /\{.*\} =.*\{.*\}/,
    ours: NO_ERROR,
    theirs: /^rego_unsafe_var_error/,
  },
  'engine-names-of-other-types': {
    peer: 'regorus',
    alike: (ours, theirs) =>
      shown(ours).replace(/\\\\u00(3c|3e|26)/g, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      ) === shown(theirs),
    exact: true,
  },
  'engine-with-within-a-replaced-rule': {
    peer: 'regorus',
    kinds: ['with'],
    source: / with [\s\S]* with /,
    ours: NO_ERROR,
    theirs: /complete rules should not produce multiple outputs/,
  },
  'engine-rule-as-its-own-replacement': {
    peer: 'regorus',
    kinds: ['with'],
    cause: (evidence) =>
      evidence.isSameAs((program) => withoutRulesAsReplacements(program) ?? program),
  },
  'engine-functions-replaced-by-other-names': {
    peer: 'regorus',
    kinds: ['with'],
    cause: (evidence) =>
      evidence.isSameAs((program) => withFunctionsThemselves(program) ?? program),
    exact: true,
  },
  'some-in-a-rule-that-is-a-scalar': {
    peer: 'regorus',
    ours: NO_ERROR,
    theirs: /`some \.\. in collection` expects array\/set\/object/,
    // Nothing is in a scalar.
    cause: (evidence) => evidence.isOwnAnswerTo((program) => withoutDomains(program) ?? program),
    exact: true,
  },
  'every-over-its-own-name': {
    peer: 'opa',
    source: /every (?:\w+, )?(\w+) in \1\b/,
    theirs: /^rego_unsafe_var_error/,
  },
  'member-as-its-own-key': {
    peer: 'opa',
    source: /some (?:\w+, )?(\w+) in [^\n]*\[\1\]/,
    ours: /^rego_unsafe_var_error/,
    theirs: NO_ERROR,
    exact: true,
  },
  'default-without-a-value': { peer: 'opa', ours: /illegal default rule \(must have a value\)/ },
  'some-contains': { peer: 'opa', source: /some contains\b/, theirs: /^rego_parse_error/ },
  'fraction-without-a-leading-digit': {
    peer: 'regorus',
    source: /(?:^|[^\w.\])]\s*|\bcontains)\.\d/,
    theirs: UNREADABLE,
  },
  'leading-zero': { peer: 'regorus', source: /\b0\d/, theirs: UNREADABLE },
  'leading-comma': { source: /[[{]\s*,/, ours: /^rego_parse_error/ },
  'rules-on-one-line': {
    ours: /^rego_parse_error: unexpected (?:(?:default|import) keyword|.* token: expected \\n)/,
    exact: true,
  },
  'body-without-its-brace': {
    peer: 'opa',
    ours: /^rego_parse_error: (?:unexpected|illegal token)/,
    cause: (evidence) => evidence.isSameAsOneOf(withBraces),
    exact: true,
  },
  'engine-references-to-scalars': {
    peer: 'regorus',
    ours: /^rego_parse_error: illegal ref \(head cannot be/,
  },
  'engine-values-of-defaults': {
    peer: 'regorus',
    ours: /^rego_parse_error: illegal default rule \(value cannot contain/,
  },
  'engine-set-as-a-body': {
    peer: 'regorus',
    source: /\bif \{[^{}]*,\s*\}/,
    ours: /^rego_parse_error: unexpected , token/,
  },
  'engine-minus-before-a-term': {
    peer: 'regorus',
    ours: /^rego_parse_error: unexpected .* token: expected number/,
  },
  'engine-rule-named-wildcard': {
    peer: 'regorus',
    source: /^_\b/m,
    alike: (ours, theirs) => shown(ours).replaceAll('"$0":', '"_":') === shown(theirs),
  },
  'template-strings': { source: /\$["`]/, ours: NO_ERROR, theirs: UNREADABLE, exact: true },
  'engine-further-bodies': [
    { peer: 'regorus', cause: (evidence) => evidence.isSameAs(withBodiesAsElses) },
    { peer: 'regorus', source: /\}\s*\{/, theirs: /else cannot be used with set rules/ },
  ],
  'empty-set-as-a-body': {
    peer: 'opa',
    source: /\bif (?:set\(\)|\(+\{)/,
    theirs: /^rego_parse_error/,
  },
  'space-before-parentheses': { peer: 'regorus', source: /\w\s+\(/, ours: /^rego_parse_error/ },
  'relation-replaces-a-function': { source: / as walk\b/, ours: /cannot replace a function/ },
  'relation-replaced': { source: /with walk\b/, ours: /must not be a relation/ },
  'relation-rows': WALK_FOR_ITS_RESULT,
  'default-below-a-dynamic-key': {
    peer: 'opa',
    kinds: ['rule: default'],
    source: /\[\w+\]/,
    alike: theirsIsPart,
    cause: ({ found }) => hasPackageBelowAnother(found.program),
  },
  'rule-below-a-set': { peer: 'regorus', ours: /^rego_type_error: .*conflicts with/ },
  'base-document-at-the-path-of-a-rule': { ours: /conflicting rule for data path/ },
  'called-rule-hidden': { ours: /called function \S+ shadowed/ },
  'called-rule-hidden-later': {
    peer: 'opa',
    theirs: /referenced above/,
    ours: /undefined function/,
    exact: true,
  },
  'built-in-hidden-by-a-rule': {
    peer: 'regorus',
    ours: /^rego_type_error: .*(?:undefined function|has arity)/,
  },
  'variable-with-the-name-of-a-built-in': {
    peer: 'opa',
    source: /\b(?:contains|count|lower|max|min|sort|startswith|sum|upper) = /,
    theirs: /^rego_type_error: match error/,
  },
  'set-of-a-variable-as-an-argument': {
    source: /\(\{[a-z]\w*\}/,
    ours: /^rego_unsafe_var_error/,
    // The rule never applies.
    theirs: new RegExp(`${NOTHING.source}|^error`),
    exact: true,
  },
  'repeated-argument': {
    peer: 'regorus',
    kinds: ['rule: function'],
    cause: (evidence) => evidence.isSameAs(withLastArguments),
  },
  'argument-that-cannot-match': { peer: 'regorus', ours: REFUSED, theirs: /^undefined/ },
  'object-with-more-members-as-an-argument': [
    { peer: 'regorus', ours: REFUSED, source: /\(\{"/ },
    {
      peer: 'regorus',
      kinds: ['argument pattern', 'object'],
      ours: NO_ERROR,
      theirs: /^(?!error)|must not produce multiple outputs/,
      cause: (evidence) => evidence.isSameAs(withOpenPatterns),
    },
  ],
  'engine-body-like-a-block': {
    peer: 'regorus',
    ours: NO_ERROR,
    theirs: /Failed to parse rule-ref|unexpected keyword/,
    cause: ({ found }) => hasBodyLikeABlock(found.program),
  },
  'assign-as-a-value': { peer: 'opa', ours: /assign cannot be used as a value/ },
  'statements-by-name': { peer: 'regorus', source: /\b(?:assign|eq)\(/, theirs: /error/ },
  'repeated-keys-in-an-equation': {
    peer: 'opa',
    source: /\{(\S+): .*, .*\} (?:=|==) \{/,
    ours: NO_ERROR,
    theirs: NO_ERROR,
  },
  'with-key-that-is-not-constant': { ours: /with keyword target must be ground/ },
  'with-key-that-is-a-variable': { ours: /with keyword target must be ground/ },
  'in-an-undefined-collection': {
    peer: 'regorus',
    calls: ['internal.member_2'],
    cause: (evidence) => evidence.isSameAs((program) => withTotalMembership(program) ?? program),
  },
  'type-of-a-rule-that-is-false': {
    peer: 'opa',
    source: /\bfalse\b/,
    theirs: /^rego_type_error: match error/,
  },
}
