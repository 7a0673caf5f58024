/** Why a figure grows as it does with the number n of operators. */
export const growth: readonly (readonly [figure: RegExp, why: string])[] = [
  [
    /^sign: one/,
    'constant: one hash to the curve and one multiplication, for any number of signers',
  ],
  [/^sign: all/, 'n: each signs for itself; in production they do so concurrently'],
  [
    /^verify the aggregate/,
    'constant: one pairing check of one point and one key, for any number of summands',
  ],
  [
    /^aggregate: (all good|a third)/,
    'one pairing check and n additions: the check dominates up to some hundred operators',
  ],
  [/^aggregate: 1 culprit/, 'log n: an invalid sum is halved, and one half of each is checked'],
  [
    /^aggregate: n\/4/,
    'n: k invalid signatures take k log(n/k) checks, which is n if k is a fraction of n',
  ],
  [/^aggregate: n culprits/, 'n: halving never takes more checks than there are signatures'],
  [
    /^check each/,
    'n: the cost of finding invalid signatures without halving, even if there are none',
  ],
  [/^pairing checks: all good/, 'constant: the sum of all is checked once'],
  [/^pairing checks: 1 culprit/, '1 + log2 n'],
  [/^pairing checks: n\/4/, 'n: at most k (log2(n/k) + 1) + 1'],
  [/^pairing checks: n culprits/, 'n'],
  [/^register/, 'constant: a proof of possession, and histories that are appended to'],
  [/^read the operator set/, 'n: every key and stake is read, in one eth_call'],
  [/^all signed: .*bytes/, 'constant: one point of each group for all'],
  [/^all signed: .*gas/, 'constant: one pairing check, and no operator is named'],
  [/^1 missing: .*bytes/, 'constant: 128 bytes for one non-signer'],
  [/^1 missing: .*gas/, 'constant: one addition and two histories for one non-signer'],
  [/^n\/3 missing: .*bytes/, 'n: 128 bytes a non-signer (key, two indices into the history)'],
  [/^n\/3 missing: .*gas/, 'n: each non-signer is subtracted from key and stake of the whole'],
  [
    /: oracle$|: evaluate and sign$/,
    'n: the operators of one process share its cores; separate processes do not',
  ],
  [/: aggregate$/, 'one pairing check and n additions'],
  [/: store$/, 'constant, except for operator errors'],
  [/: chain reads$/, 'n: the operator set is read with the client, in one eth_call'],
  [/: a task$/, 'n: like its parts'],
]

export const whyOf = (figure: string): string =>
  growth.find(([pattern]) => pattern.test(figure))?.[1] ?? ''
