import { isArray, isObject, isSet, type Value } from 'polgate-rego/values/value.ts'
import { isAscii, isBig, made, opa, partsOf, sortOf, text } from './callMatchers.ts'
import { textOf } from './callsOf.ts'
import type { Matcher } from './matcher.ts'

/** Entries about built-ins that OPA answers differently: which one, called with what. */
export const OPA_BUILTIN_MATCHERS: Readonly<Record<string, Matcher | readonly Matcher[]>> = {
  'templates-with-other-delimiters': {
    peer: 'opa',
    // The answer may be that of an earlier program to the same server.
    made: made(
      ['regex.template_match'],
      ([, , open, close]) => text(open).length === 1 && text(close).length === 1 && open !== close,
    ),
    ours: /^(undefined|\{|false|eval_builtin_error: regex.template_match)/,
  },
  'rounding-near-zero': opa(['floor', 'ceil'], ([a]) => typeof a === 'number' && a > -1 && a < 0),
  'member-missing-from-a-template': [
    opa(['strings.render_template'], ([template, members]) =>
      [...text(template).matchAll(/\.(\w+)/g)].some(([, name]) => !hasMember(members, name!)),
    ),
    {
      peer: 'opa',
      theirs: /^eval_builtin_error: strings\.render_template: .*has no entry for key/,
    },
  ],
  // Both find the variable of `some x in x`, which has no value yet.
  'first-of-several-faults': {
    peer: 'opa',
    source: /some (?:\w+, )?(\w+) in [\s\S]*?\b\1\b/,
    ours: /^rego_compile_error: var \w+ referenced above/,
    theirs: /^rego_unsafe_var_error/,
  },
  // A fraction so large that OPA's further digits make it an integer.
  'division-in-64-bit-floats': {
    peer: 'opa',
    made: made(
      ['plus', 'minus', 'mul', 'div'],
      (args, result) =>
        args.some((each) => typeof each === 'number' && !Number.isInteger(each)) && isBig(result),
    ),
    ours: /must be integer number but got floating-point number/,
  },
  'integers-of-any-size': opa(['format_int'], ([a]) => isBig(a)),
  'functions-of-templates': [
    {
      peer: 'opa',
      calls: ['strings.render_template'],
      ours: /^eval_builtin_error: strings\.render_template: template: function "\w+" not defined/,
      theirs: /^(?!\w+_error)/,
    },
    {
      peer: 'opa',
      made: made(
        ['strings.render_template'],
        ([template], r) =>
          r === undefined && /\b(?:printf|html|js|urlquery|call)\b/.test(text(template)),
      ),
      ours: /^(undefined|\{|\[)/,
    },
  ],
  'remainders-of-large-integers': opa(
    ['rem', 'bits.and', 'bits.or', 'bits.xor', 'bits.rsh', 'bits.lsh', 'bits.negate'],
    (args) => args.some(isBig),
  ),
  'minimum-of-a-set-with-null': opa(['min'], ([a]) => a !== undefined && isSet(a) && a.has(null)),
  'empty-text-to-be-replaced': opa(
    ['strings.replace_n'],
    ([patterns, whole]) => textOf(patterns).includes('"":') && !isAscii(whole),
  ),
  'paths-through-cycles': opa(['graph.reachable_paths'], ([graph]) => hasCycle(graph)),
  // Texts of numbers within other texts.
  'numbers-are-normalised': [
    {
      peer: 'opa',
      source: /\de\d|-0|\d\.\d*0\b/,
      made: made(
        ['crypto.md5', 'crypto.sha1', 'crypto.sha256', 'base64.encode', 'hex.encode', 'count'],
        ([a]) => /\d/.test(text(a)),
      ),
      calls: ['json.marshal', 'json.marshal_with_options', 'yaml.marshal', 'sprintf'],
    },
    {
      peer: 'opa',
      calls: ['json.marshal', 'json.marshal_with_options', 'yaml.marshal', 'sprintf'],
      cause: (evidence) => evidence.isSameAsWritten(),
    },
  ],
  // OPA's further digits show that it is none.
  'fractions-in-other-digits': opa(
    ['plus', 'minus', 'mul', 'div'],
    (args, result) =>
      args.some((each) => typeof each === 'number' && !Number.isInteger(each)) &&
      (typeof result === 'bigint' || (Number.isInteger(result) && !Number.isSafeInteger(result))),
  ),
  'text-block-without-indentation': {
    made: made(['yaml.unmarshal'], ([a]) => /^[|>][-+]?\n\S/m.test(text(a))),
  },
  'globs-whose-rest-is-empty': opa(
    ['regex.globs_match'],
    (globs, result) => result === true && globs.some((glob) => text(glob).endsWith('*')),
  ),
  'glob-question-mark-and-empty-text': opa(
    ['glob.match'],
    ([glob, , whole]) => /^(?:[?*]|\[[^\]]*\])+$/.test(text(glob)) && whole === '',
  ),
  'glob-three-asterisks-and-empty-text': opa(
    ['glob.match'],
    ([glob, , whole]) => text(glob).includes('***') && whole === '',
  ),
  'glob-alternatives-within-text': opa(['glob.match'], ([glob]) =>
    /\{[^}]*\*[^}]*\}./.test(text(glob)),
  ),
  'glob-open-alternatives': opa(['glob.match'], ([glob], result) => {
    const open = text(glob).replaceAll(/\\./g, '').match(/[{}]/g)?.join('') ?? ''
    return result === undefined && /\{(?!\})/.test(open)
  }),
  'cidr-matches-of-other-types': opa(
    ['net.cidr_contains_matches'],
    (args, result) =>
      result === undefined && args.some((each) => !/string|array|object|set/.test(sortOf(each))),
  ),
  'json-followed-by-null': opa(['json.unmarshal', 'json.is_valid'], ([a]) =>
    /\S\s*null\s*$/.test(text(a)),
  ),
  'add-date-beyond-years': opa(
    ['time.add_date'],
    ([, years, months, days], result) =>
      result === undefined &&
      [years, months, days].some((each) => Math.abs(Number(each)) > 2 ** 31),
  ),
  'subset-of-an-array-with-repeated-members': opa(
    ['object.subset'],
    ([a, b]) => sortOf(a) === 'array' && sortOf(b) === 'set',
  ),
  'sprintf-of-large-integers-with-other-verbs': opa(
    ['sprintf'],
    ([format, values]) =>
      /%[-+# 0]*[^-+# 0sdvxXbcoOqeEfFgGtTU%]/.test(text(format)) &&
      isArray(values ?? null) &&
      partsOf(values!).some(isBig),
  ),
}

/** Whether a vertex of a graph can be reached from itself. */
function hasCycle(graph: Value | undefined): boolean {
  if (graph === undefined || !isObject(graph)) return false
  const next = new Map(
    graph.entries().map(([from, to]) => [textOf(from), partsOf(to).map(textOf)] as const),
  )
  const reaches = (from: string, seen: ReadonlySet<string>): boolean =>
    (next.get(from) ?? []).some((to) => seen.has(to) || reaches(to, new Set([...seen, to])))
  return [...next.keys()].some((vertex) => reaches(vertex, new Set([vertex])))
}

const hasMember = (object: Value | undefined, name: string): boolean =>
  object !== undefined && isObject(object) && object.has(name)
