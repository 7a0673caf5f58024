import { theirsIsPart } from './alike.ts'
import { type Matcher, WALK_FOR_ITS_RESULT } from './matcher.ts'
import { withOpenPatterns } from './rewrite.ts'
import { hasBodyLikeABlock } from './structure.ts'

const KEYWORD = '(?:as|contains|default|else|every|if|import|in|not|package|some|with)'
/** By a parser: OPA's, or the one at 0.9. */
const UNREADABLE = /^(?:rego_parse_error|error)\b/
const READABLE = /^(?!rego_parse_error)/
const NO_ERROR = /^(?!\w+_error)/
const REFUSED = /^rego_type_error: .*invalid argument/

/** Matchers of the entries about syntax, rules, functions and documents. */
export const LANGUAGE_MATCHERS: Readonly<Record<string, Matcher | readonly Matcher[]>> = {
  'keyword-after-a-dot': {
    source: new RegExp(`\\.${KEYWORD}\\b`),
    ours: READABLE,
    theirs: UNREADABLE,
  },
  'keyword-in-a-rule-name': {
    source: new RegExp(`^\\w+\\.${KEYWORD}\\b`, 'm'),
    ours: READABLE,
    theirs: UNREADABLE,
  },
  'contains-after-a-dot': { peer: 'opa', source: /\.contains\b/, theirs: /^rego_parse_error/ },
  'keyword-in-a-package': {
    source: new RegExp(`^package .*\\.${KEYWORD}\\b`),
    ours: READABLE,
    theirs: UNREADABLE,
  },
  'metadata-without-a-statement': { peer: 'opa', theirs: /invalid annotation scope ''/ },
  'engine-rule-as-its-own-replacement': {
    peer: 'regorus',
    kinds: ['with'],
    source: /\b(\w+(?:\.\w+)*)\b[^\n]* with \S+ as [^\n]*(?<![\w.])(?:data\.)?\1\b/,
    ours: NO_ERROR,
    theirs: /^(?!error)/,
  },
  'some-in-a-rule-that-is-a-scalar': {
    peer: 'regorus',
    kinds: ['literal: some in'],
    ours: NO_ERROR,
    theirs: /expects array\/set\/object/,
  },
  'default-without-a-value': { peer: 'opa', ours: /illegal default rule \(must have a value\)/ },
  'some-contains': { peer: 'opa', source: /some contains\b/, theirs: /^rego_parse_error/ },
  'fraction-without-a-leading-digit': {
    peer: 'opa',
    source: /(?:^|[^\w.\])])\.\d/,
    ours: /^rego_parse_error/,
  },
  'leading-zero': { peer: 'opa', source: /\b0\d/, ours: /^rego_parse_error/ },
  'leading-comma': { source: /\[\s*,/, ours: /^rego_parse_error/ },
  'rules-on-one-line': { source: /\S [a-z]\w* :=/, ours: /^rego_parse_error/ },
  'empty-set-as-a-body': { peer: 'opa', source: /if set\(\)/, theirs: /^rego_parse_error/ },
  'space-before-parentheses': { peer: 'regorus', source: /\w \(/, ours: /^rego_parse_error/ },
  'relation-replaces-a-function': { source: / as walk\b/, ours: /cannot replace a function/ },
  'relation-replaced': { source: /with walk\b/, ours: /must not be a relation/ },
  'relation-rows': WALK_FOR_ITS_RESULT,
  'default-below-a-dynamic-key': {
    peer: 'opa',
    kinds: ['rule: default'],
    source: /\[\w+\]/,
    alike: theirsIsPart,
  },
  'rule-below-a-set': { peer: 'regorus', ours: /^rego_type_error: .*conflicts with/ },
  'base-document-at-the-path-of-a-rule': { ours: /conflicting rule for data path/ },
  'called-rule-hidden': { ours: /called function \S+ shadowed/ },
  'called-rule-hidden-later': {
    peer: 'opa',
    theirs: /referenced above/,
    ours: /undefined function/,
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
  'set-of-a-variable-as-an-argument': { source: /\(\{[a-z]\w*\}/, ours: /^rego_unsafe_var_error/ },
  'repeated-argument': {
    peer: 'regorus',
    kinds: ['rule: function'],
    theirs: /^[^e]/,
    source: /\((?:.*, )?(\w+), \1\b/,
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
  'in-an-undefined-collection': { peer: 'regorus', source: / in /, theirs: /false/ },
  'type-of-a-rule-that-is-false': {
    peer: 'opa',
    source: /\bfalse\b/,
    theirs: /^rego_type_error: match error/,
  },
}
