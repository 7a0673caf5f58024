import { sameButDigits, sameButEmpty, theirsIsLonger, theirsIsPart } from './alike.ts'
import type { Answer, PeerName } from './answers.ts'
import type { NodeKind } from './features.ts'

/** What a difference must have to be an example of an entry: all of the given. */
export type Matcher = {
  readonly peer?: PeerName
  /** One of these functions: `f` called or as operator, `f()` called by name, `with f` replaced. */
  readonly calls?: readonly string[]
  readonly kinds?: readonly NodeKind[]
  /** Of one module. */
  readonly source?: RegExp
  /** Of the answers: JSON, `undefined`, or `code: message`. */
  readonly ours?: RegExp
  readonly theirs?: RegExp
  /** At least as many rules. */
  readonly rules?: number
  readonly alike?: (ours: Answer, theirs: Answer) => boolean
}

const engine = (...calls: readonly string[]): Matcher => ({ peer: 'regorus', calls })

/** Built-ins that the engine at 0.9 answers differently: their entries match any difference. */
const ENGINE_BUILTINS = [
  'upper',
  'lower',
  'count',
  'indexof',
  'indexof_n',
  'strings.count',
  'strings.replace_n',
  'substring',
  'sprintf',
  'trace',
  'object.subset',
  'json.match_schema',
  'json.verify_schema',
  'json.filter',
  'json.remove',
  'yaml.marshal',
  'glob.quote_meta',
  'regex.template_match',
  'regex.match',
  'regex.split',
  'base64.is_valid',
  'urlquery.encode',
  'urlquery.decode',
  'urlquery.decode_object',
  'format_int',
  'to_number',
  'numbers.range_step',
  'rand.intn',
  'time.diff',
  'time.add_date',
  'bits.rsh',
  'time.parse_ns',
  'regex.replace',
  'time.format',
  'uuid.parse',
]

/**
 * By the id of an entry of the page of differences. An entry without one is matched by its own program:
 * by what is special in it and by the sorts of its answers.
 */
export const MATCHERS: Readonly<Record<string, Matcher>> = {
  'division-in-64-bit-floats': { alike: sameButDigits, calls: ['div'] },
  'integers-of-any-size': { peer: 'opa', source: /\d{11}|e\d{2}/, alike: sameButDigits },
  'fractions-in-other-digits': { peer: 'opa', source: /\.\d/, alike: sameButDigits },
  'engine-large-integers': {
    peer: 'regorus',
    source: /\d{11}|e\d{2}|bits\.lsh/,
    alike: sameButDigits,
  },
  'conflict-in-a-rule-that-the-index-skips': {
    peer: 'opa',
    ours: /^eval_conflict_error/,
    theirs: /^[^e]/,
  },
  'undefined-operand-beside-an-error': {
    peer: 'opa',
    source: /\b(input|data\.(base|gen)|some|with|r\d)\b[\s\S]/,
    ours: /^eval_(builtin|type)_error/,
    theirs: /^[^e]/,
  },
  'comprehension-over-an-argument': {
    peer: 'opa',
    kinds: ['rule: function'],
    source: /\|/,
    theirs: /^rego_type_error: match error/,
  },
  'types-within-every': { peer: 'opa', source: /\bevery\b/, ours: /^rego_type_error/ },
  'types-beside-with': { peer: 'opa', kinds: ['with'], theirs: /^rego_type_error/ },
  'empty-object-beside-a-dynamic-key': { peer: 'opa', alike: sameButEmpty },
  'integers-written-as-fractions': {
    peer: 'opa',
    source: /\d\.0\b/,
    ours: /^[^e]/,
    theirs: /^(undefined|\{|eval_type_error)/,
  },
  'numbers-that-are-not-json': {
    peer: 'opa',
    theirs: /^internal_error: json: invalid number literal/,
  },
  'rounding-near-zero': { peer: 'opa', calls: ['floor', 'ceil'], ours: /^[^e]/, theirs: /^[^e]/ },
  'styles-of-yaml': { peer: 'opa', calls: ['yaml.marshal'], ours: /^[^eu]/, theirs: /^[^eu]/ },
  'member-missing-from-a-template': {
    peer: 'opa',
    calls: ['strings.render_template'],
    ours: /^[^e]/,
    theirs: /^(\{|undefined|eval_builtin_error)/,
  },
  'text-block-without-indentation': { calls: ['yaml.unmarshal'], source: /[|>]\\n/ },
  'graphql-default-values': { peer: 'opa', ours: /"ExpectedTypeHasDefault"/ },
  'remainders-of-large-integers': {
    peer: 'opa',
    calls: ['rem', 'bits.and', 'bits.or', 'bits.xor', 'bits.rsh', 'bits.lsh', 'bits.negate'],
    source: /\d{16}|e\d/,
    ours: /^[^e]/,
  },
  'print-of-an-unsafe-variable': {
    peer: 'opa',
    calls: ['print'],
    theirs: /^rego_compile_error: var \S+ is undeclared/,
  },
  'engine-some-twice': {
    peer: 'regorus',
    theirs: /duplicated definition of local variable/,
    ours: /^[^r]/,
  },
  'engine-json-unmarshal': engine('json.unmarshal', 'json.is_valid'),
  'elements-of-operands-of-several-types': {
    peer: 'opa',
    ours: /^rego_type_error: (count|sum|product|max|min|sort|concat|strings\.any_\w+|net\.\w+|graph\.\w+|json\.\w+|object\.\w+|union|intersection): invalid argument/,
    theirs: /^[^r]/,
  },
  'minimum-of-a-set-with-null': { peer: 'opa', calls: ['min'], source: /null/ },
  'engine-yaml-unmarshal': engine('yaml.unmarshal', 'yaml.is_valid'),
  'engine-calls-through-imports': {
    peer: 'regorus',
    source: /\bimport data\b/,
    theirs: /could not find function \w+\.\w+$/,
  },
  'engine-base64-decode': engine('base64.decode', 'base64url.decode', 'hex.decode'),
  'engine-json-marshal': engine('json.marshal', 'json.marshal_with_options'),
  'empty-text-to-be-replaced': { peer: 'opa', calls: ['strings.replace_n'], source: /"":/ },
  'error-where-a-value-is-not-needed': {
    peer: 'opa',
    // A rule with a value only has nothing that decides before.
    source: /\bif\b|\n\n[\s\S]*\n\n/,
    ours: /^[^er]/,
    theirs: /^eval_(builtin|type|conflict)_error/,
  },
  'members-of-sets-of-references': {
    peer: 'opa',
    kinds: ['set', 'literal: some in'],
    alike: theirsIsLonger,
  },
  'paths-through-cycles': { peer: 'opa', calls: ['graph.reachable_paths'] },
  'first-of-several-faults': {
    peer: 'opa',
    rules: 2,
    ours: /^(rego|eval)_/,
    theirs: /^(rego|eval)_/,
  },
  'numbers-are-normalised': { source: /\de\d|-0|\d\.\d*0\b/, alike: sameButDigits },
  'types-of-reference-heads': {
    peer: 'opa',
    kinds: ['rule: reference'],
    ours: /^[^r]/,
    theirs: /^rego_type_error/,
  },
  'engine-evaluates-values-first': {
    peer: 'regorus',
    source: /\w\[|\n\n[\s\S]*\n\n/,
    ours: /^[^er]/,
    theirs: /^error: (?!error: (could not find|expecting|not a valid))/,
  },
  'members-of-certificates': {
    peer: 'opa',
    calls: [
      'crypto.x509.parse_certificates',
      'crypto.x509.parse_keypair',
      'crypto.x509.parse_certificate_request',
      'crypto.x509.parse_and_verify_certificates',
      'crypto.x509.parse_and_verify_certificates_with_options',
    ],
    ours: /"BasicConstraintsValid"|"RawSubject"/,
    theirs: /"BasicConstraintsValid"|"RawSubject"/,
  },
  'engine-units': engine('units.parse', 'units.parse_bytes'),
  'engine-destructuring': { peer: 'regorus', theirs: /incompatible destructuring patterns/ },
  'internal-test-case-as-a-value': {
    calls: ['internal.test_case'],
    theirs: /used as value|could not find function/,
  },
  'engine-operators-by-name': {
    peer: 'regorus',
    theirs: /could not find function (\w+|internal\.\w+)$/,
  },
  'engine-keys-of-heads': { peer: 'regorus', theirs: /not a valid ref/ },
  'engine-empty-extents': { peer: 'regorus', alike: sameButEmpty },
  'engine-entries-after-the-first': {
    peer: 'regorus',
    kinds: ['rule: reference'],
    alike: theirsIsPart,
  },
  'engine-scheduling': {
    peer: 'regorus',
    theirs: /statements not scheduled|used before definition below|is unsafe/,
    ours: /^[^r]/,
  },
  'engine-some-in-a-scalar': { peer: 'regorus', theirs: /expects array\/set\/object/ },
  'engine-key-value-membership': engine('internal.member_3'),
  'engine-parentheses-after-a-line': {
    peer: 'regorus',
    theirs: /expecting `}` while parsing query|could not find function data\./,
  },
  'engine-walk-as-a-call': { peer: 'regorus', calls: ['walk'] },
  'engine-operands-of-other-types': {
    peer: 'regorus',
    theirs: /expects (numeric|set) arguments?|modulo on floating-point|expects .* argument\. Got/,
    ours: /^[^r]/,
  },
  'engine-unused-variables': { peer: 'regorus', ours: /^rego_compile_error/, theirs: /^[^e]/ },
  'engine-types': { peer: 'regorus', ours: /^rego_type_error/, theirs: /^[^e]/ },
  'engine-unsafe-variables': { peer: 'regorus', ours: /^rego_unsafe_var_error/, theirs: /^[^e]/ },
  'engine-order-of-sets': {
    peer: 'regorus',
    kinds: ['set'],
    calls: ['sort', 'max', 'min', 'lt', 'gt', 'lte', 'gte'],
  },
  ...Object.fromEntries(
    ENGINE_BUILTINS.map((name) => [`engine-${name.replaceAll(/[._]/g, '-')}`, engine(name)]),
  ),
}
