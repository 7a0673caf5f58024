import { describe, expect, it } from 'vitest'
import { explainEvaluation } from './policyExplanation.ts'

const source = `package transfer

default allow := false

allow if {
	count(deny) == 0
}

deny contains "too much" if {
	input.value > data.params.most
}

deny contains "listed" if {
	data.wasm.sanctions.listed
}
`
const evaluate = (value: number, more: object = {}) =>
  explainEvaluation(
    {
      source,
      entrypoint: 'transfer.allow',
      input: JSON.stringify({ value }),
      params: '{"most": 100}',
      paramsSchema: null,
      data: ['{"sanctions": {"listed": false}}'],
      now: 0,
      ...more,
    },
    { namespace: 'service', workMs: 2_000 },
  )

describe('the explanation of an evaluation', () => {
  it('names the expression that ended a rule, with its values, and the definition that denied', () => {
    const { rules, deciding } = evaluate(101)
    const allow = rules.find(({ name }) => name === 'data.transfer.allow')!
    expect(allow).toMatchObject({ isDefault: true })
    expect(allow.definitions[0]).toMatchObject({ row: 5, held: false })
    expect(allow.definitions[0]!.failures[0]).toMatchObject({
      text: 'count(deny) == 0',
      row: 6,
      values: expect.arrayContaining([{ text: 'count(deny)', value: '1' }]),
    })
    const deny = rules.find(({ name }) => name === 'data.transfer.deny')!
    expect(deny.definitions.map(({ row, held }) => [row, held])).toEqual([
      [9, true],
      [13, false],
    ])
    expect(deciding).toEqual([6, 9])
  })

  it('names the definition that allowed, and the rows that were reached', () => {
    const { deciding, covered, notCovered } = evaluate(100)
    expect(deciding).toContain(5)
    expect(covered).toEqual(expect.arrayContaining([5, 6, 10, 14]))
    expect(notCovered).toEqual(expect.arrayContaining([9, 13]))
  })

  it('has the rules below an expression that held, which decide nothing, and none that was not evaluated', () => {
    const { rules, deciding } = evaluate(101, {
      source: `package transfer
default allow := false
allow if not denied
denied if not fits
fits if input.value <= data.params.most
unused if true
`,
    })
    const outcomes = rules.flatMap(({ name, definitions }) =>
      definitions.map(({ held, failures }) => [name, held, failures.map(({ row }) => row)]),
    )
    expect(outcomes).toEqual([
      ['data.transfer.allow', false, [3]],
      ['data.transfer.denied', true, []],
      ['data.transfer.fits', false, [5]],
    ])
    expect(deciding).toEqual([3, 4])
  })

  it('ends as the evaluation does: it is limited, and a missing rule is an error', () => {
    expect(() => evaluate(1, { entrypoint: 'transfer.missing' })).toThrow('undefined rule')
    const endless = `package transfer\nallow if { some i in numbers.range(1, 100000000); i < 0 }`
    expect(() => evaluate(1, { source: endless })).toThrow(/limit|steps|memory|long/i)
  })
})
