import { isArray, isObject, isSet, type Value } from 'polgate-rego/values/value.ts'
import { hasArraysBesideObjects, sameButOrder } from './alike.ts'
import { engine, isAscii, isBig, isInteger, partsOf, sortOf, text } from './callMatchers.ts'
import { textOf } from './callsOf.ts'
import { ENGINE_PATH_MATCHERS } from './enginePathMatchers.ts'
import { ENGINE_SCHEMA_MATCHERS } from './engineSchemaMatchers.ts'
import { ENGINE_SPRINTF_MATCHERS } from './engineSprintfMatchers.ts'
import type { Matcher } from './matcher.ts'
import { isPlainYaml } from './plainYaml.ts'
import { withTotalKeyedMembership, withTotalMembership } from './without.ts'

/** What is left of a text after each pattern is replaced in turn, in the whole text. */
function replacedInTurn(patterns: Value | undefined, whole: Value | undefined): string {
  let rest = text(whole)
  const pairs = patterns !== undefined && isObject(patterns) ? patterns.entries() : []
  for (const [from, to] of pairs) rest = rest.replaceAll(text(from), text(to))
  return rest
}

/** How often a text begins in another one, at any place. */
function timesAnywhere(whole: string, part: string): number {
  let times = 0
  for (let at = whole.indexOf(part); at >= 0; at = whole.indexOf(part, at + 1)) times++
  return times
}

/** Entries about built-ins that the engine at 0.9 answers differently: which one, called with what. */
export const ENGINE_BUILTIN_MATCHERS: Readonly<Record<string, Matcher | readonly Matcher[]>> = {
  'glob-three-asterisks': engine(['glob.match'], ([glob]) => text(glob).includes('***')),
  'glob-question-mark-beyond-ascii': engine(
    ['glob.match'],
    ([glob, , whole]) => /[?[]/.test(text(glob)) && !isAscii(whole),
  ),
  'engine-glob-delimiters': engine(
    ['glob.match'],
    ([, delimiters]) =>
      delimiters !== undefined &&
      isArray(delimiters) &&
      delimiters.some((each) => !/^[\0-\x7f]+$/.test(text(each))),
  ),
  'engine-upper': engine(['upper'], ([a], r) => text(a).toUpperCase() !== r),
  'engine-lower': engine(['lower'], ([a], r) => text(a).toLowerCase() !== r),
  'engine-count': engine(['count'], ([a], r) => typeof a === 'string' && a.length !== r),
  'engine-indexof': engine(['indexof'], ([a, b]) => b === '' || !isAscii(a)),
  'engine-indexof-n': engine(['indexof_n'], ([a, b]) => b === '' || !isAscii(a)),
  'engine-strings-count': engine(
    ['strings.count'],
    ([a, b], r) => b === '' || timesAnywhere(text(a), text(b)) !== r,
  ),
  'engine-strings-replace-n': engine(
    ['strings.replace_n'],
    ([patterns, whole], r) =>
      replacedInTurn(patterns, whole) !== r || textOf(patterns).includes('"":'),
  ),
  'engine-substring': engine(
    ['substring'],
    ([a, from, length]) =>
      [from, length].some((each) => !isInteger(each) || isBig(each)) ||
      !isAscii(a) ||
      Number(from) < 0,
  ),
  'engine-trace': engine(['trace'], ([a]) => typeof a === 'string'),
  'engine-object-subset': engine(
    ['object.subset'],
    ([a, b]) => sortOf(a) !== sortOf(b) || sortOf(a) === 'array',
  ),
  'engine-json-verify-schema': engine(
    ['json.verify_schema'],
    (_, r) => r === undefined || textOf(r).startsWith('[false'),
  ),
  'engine-json-marshal': engine(
    ['json.marshal', 'json.marshal_with_options'],
    ([a], r) =>
      /\\u[0-9a-f]{4}|\\\\u/.test(textOf(r)) ||
      /[<>&\u2028\u2029\x7f]|\d{16}|e[+-]?\d/.test(textOf(a)),
  ),
  'engine-json-unmarshal': engine(
    ['json.unmarshal', 'json.is_valid'],
    ([a], r) => r === undefined || /\d[eE][+-]?\d{2}|\d{16}|[\ud800-\udfff]|\\u[dD]/.test(text(a)),
  ),
  'engine-yaml-marshal': engine(['yaml.marshal'], ([a]) => !isPlainYaml(a)),
  'engine-yaml-unmarshal': engine(['yaml.unmarshal', 'yaml.is_valid'], ([a]) => text(a) !== 'a'),
  'engine-glob-quote-meta': engine(['glob.quote_meta'], ([a]) => /[^\w ]/.test(text(a))),
  'engine-regex-template-match': engine(
    ['regex.template_match'],
    ([pattern, , open, close]) =>
      !/^[\0-\x7f]$/.test(text(open)) ||
      !/^[\0-\x7f]$/.test(text(close)) ||
      text(pattern).includes(text(open)) ||
      text(pattern).includes(text(close)),
  ),
  'engine-regex-match': [
    engine(
      [
        ...['regex.match', 'regex.find_n', 'regex.find_all_string_submatch_n', 'regex.is_valid'],
        'regex.split',
      ],
      ([pattern], r) => r === undefined || /\\|\{|\(\?/.test(text(pattern)),
    ),
    engine(['regex.replace'], ([, pattern]) => /\\|\{|\(\?/.test(text(pattern))),
  ],
  'engine-regex-split': engine(['regex.split'], (_, r) => r === undefined || Array.isArray(r)),
  'engine-regex-replace': engine(
    ['regex.replace'],
    ([, , by], r) => r === undefined || text(by).includes('$'),
  ),
  'engine-base64-is-valid': engine(['base64.is_valid'], ([a]) => /[\s=]/.test(text(a))),
  'engine-neighbours-in-graphs': engine(
    ['graph.reachable', 'graph.reachable_paths'],
    ([graph]) =>
      graph !== undefined &&
      isObject(graph) &&
      graph.entries().some(([, each]) => !isArray(each) && !isSet(each)),
  ),
  'engine-validity-of-other-types': engine(
    ['base64.is_valid', 'json.is_valid', 'yaml.is_valid', 'net.cidr_is_valid'],
    ([a]) => typeof a !== 'string',
  ),
  'engine-base64-decode': engine(
    ['base64.decode', 'base64url.decode', 'hex.decode'],
    ([a], r) => /[\s=]/.test(text(a)) || text(a).length % 4 !== 0 || r === undefined || !isAscii(r),
  ),
  'engine-urlquery-encode': engine(['urlquery.encode'], ([a]) => /[~!*'()]/.test(text(a))),
  'engine-urlquery-decode': engine(['urlquery.decode'], ([a]) =>
    /%(?![0-9a-fA-F]{2})|%[89a-fA-F]|[&=]/.test(text(a)),
  ),
  'engine-urlquery-decode-object': engine(['urlquery.decode_object'], ([a]) =>
    /%(?![0-9a-fA-F]{2})|%[89a-fA-F]|[;\s]/.test(text(a)),
  ),
  'engine-format-int': engine(['format_int'], ([a]) => !isInteger(a) || isBig(a)),
  'engine-to-number': engine(
    ['to_number'],
    ([a]) => typeof a === 'string' && !/^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/.test(a),
  ),
  'engine-numbers-range-step': engine(
    ['numbers.range_step'],
    ([from, to, step]) => Number(step) <= 0 || !isInteger(step) || [from, to, step].some(isBig),
  ),
  'engine-rand-intn': engine(['rand.intn'], ([, a]) => !isInteger(a) || Number(a) <= 0 || isBig(a)),
  'engine-time-diff': engine(['time.diff'], (args) => args.some(Array.isArray)),
  'engine-time-add-date': engine(
    ['time.add_date'],
    ([, years, months, days], r) =>
      years !== 0 || months !== 0 || r === undefined || Math.abs(Number(days)) > 1e6,
  ),
  'engine-bits-of-large-integers': engine(
    ['bits.and', 'bits.or', 'bits.xor', 'bits.negate', 'bits.lsh', 'bits.rsh'],
    (args) => args.some(isBig),
  ),
  'engine-bits-lsh': engine(['bits.lsh'], ([, by]) => Number(by) >= 2 ** 32),
  'engine-bits-rsh': engine(['bits.rsh'], ([, by]) => Number(by) >= 2 ** 32),
  'engine-time-parse-ns': engine(
    ['time.parse_ns'],
    ([layout, a], r) => r === undefined || /[^-0-9T:Z+. ]/.test(`${text(layout)}${text(a)}`),
  ),
  'engine-time-format': engine(
    ['time.format'],
    ([a], r) => Array.isArray(a) || r === undefined || /\.\d+/.test(text(r)),
  ),
  'engine-uuid-parse': engine(
    ['uuid.parse'],
    (_, r) => r === undefined || textOf(r).includes('variant'),
  ),
  'engine-units': engine(
    ['units.parse_bytes'],
    ([a], r) => r === undefined || !/^\d+(\.\d+)?$/.test(text(a)),
  ),
  ...ENGINE_PATH_MATCHERS,
  ...ENGINE_SCHEMA_MATCHERS,
  ...ENGINE_SPRINTF_MATCHERS,
  'engine-key-value-membership': {
    peer: 'regorus',
    calls: ['internal.member_3'],
    cause: (evidence) =>
      evidence.isSameAsOneOf((program) =>
        [withTotalKeyedMembership, withTotalMembership].map((each) => each(program) ?? program),
      ),
  },
  'engine-order-of-sets': [
    {
      peer: 'regorus',
      made: ({ name, args }) =>
        (ORDERINGS.has(name) && hasBoth(args)) ||
        (SORTINGS.has(name) && args.some((each) => hasBoth(partsOf(each)))) ||
        args.some(isOrderedWithBoth),
    },
    {
      peer: 'regorus',
      alike: sameButOrder,
      cause: ({ found }) => hasArraysBesideObjects(found.ours),
      exact: true,
    },
  ],
}

const ORDERINGS: ReadonlySet<string> = new Set(['lt', 'lte', 'gt', 'gte'])
const SORTINGS: ReadonlySet<string> = new Set(['sort', 'min', 'max'])

/** A set or object whose members are in an order that depends on that of sets and objects. */
const isOrderedWithBoth = (value: Value): boolean =>
  (isSet(value) && hasBoth(partsOf(value))) ||
  (isObject(value) && hasBoth(value.keys())) ||
  partsOf(value).some(isOrderedWithBoth)

/** Whether a set is compared with an object when values are compared with each other. */
const hasBoth = (values: readonly Value[]): boolean =>
  values.some((each, i) => values.slice(0, i).some((other) => comparesBoth(each, other)))

function comparesBoth(a: Value, b: Value): boolean {
  const sorts = [sortOf(a), sortOf(b)]
  if (sorts.includes('set') && sorts.includes('object')) return true
  return partsOf(a).some((one) => partsOf(b).some((other) => comparesBoth(one, other)))
}
