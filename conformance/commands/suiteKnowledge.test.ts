import { describe, expect, test } from 'vitest'
import type { CampaignSummary } from '../proof/summary.ts'
import { parseSummary, summaryText } from '../proof/summary.ts'
import { parseVariants, variantsText } from '../proof/variants.ts'
import { suiteKnowledge } from './suiteKnowledge.ts'

const campaign: CampaignSummary = {
  nullFloor: 0,
  mutants: {
    'rpc.id-not-echoed': {
      fault: 'answers with another id',
      clauses: ['4.1-08'],
      verdict: 'killed',
      unproven: [],
      detectedBy: 'rpc.id.echo.uuid',
    },
  },
}

const variants = [
  { ids: ['answer.charset'], checks: 400, alarms: 0 },
  { ids: ['answer.charset', 'transport.chunked'], checks: 600, alarms: 2 },
]

describe('what a certificate says of the suite', () => {
  test('has the kill rate beside the rate of false alarms', () => {
    expect(suiteKnowledge(campaign, undefined, variants).suiteRecord).toMatchObject({
      killRate: expect.stringMatching(/^1\/\d+ must, 0\/\d+ should$/),
      nullFloor: 0,
      falseAlarms: '2 of 1000 checks, on 2 correct gateways',
    })
  })

  test('is nothing before the first campaign', () => {
    expect(suiteKnowledge({ nullFloor: undefined, mutants: {} }).suiteRecord).toEqual({})
  })

  test('the record of both is read as it was written', () => {
    expect(parseSummary(summaryText(campaign))).toEqual(campaign)
    expect(parseVariants(variantsText(variants))).toEqual(variants)
  })
})
