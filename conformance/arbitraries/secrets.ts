import fc from 'fast-check'

export type ProbeSecrets = { TOKEN?: unknown; REGION?: string; NOTE?: string; SERIAL?: string }

const token = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 14 }),
  fc.constantFrom('1234567', '12345678', '七文字の秘密', '八文字分の秘密だ'),
)

/**
 * Secrets that match the schema of the probe, and ones that violate one rule of it. No answer may
 * contain the canary; it may contain the other values by chance.
 */
export const anyProbeSecrets = (canary: string): fc.Arbitrary<ProbeSecrets> =>
  fc.record(
    {
      // Mostly valid: the other members matter only if it is.
      TOKEN: fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom('12345678', canary) },
        { weight: 3, arbitrary: token },
        { weight: 1, arbitrary: fc.integer() },
      ),
      REGION: fc.constantFrom('eu', 'us', 'EU', 'asia', ''),
      NOTE: fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom('é'.repeat(64), 'é'.repeat(65))),
      SERIAL: fc.constantFrom('0000', '1234', '12345', 'abcd', ' 1234'),
    },
    { requiredKeys: [] },
  )

export type PricedSecrets = { PRICE_API_KEY?: string; PRICE_FEED_URL?: string; OTHER?: string }

const anyText = (canary: string) =>
  fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.constantFrom('', 'eight-ch', 'seven-c', canary),
    fc.string({ unit: 'grapheme', maxLength: 4 }).map((text) => `${text}${canary}`),
  )

/** The same for the schema of the price oracle. */
export const anyPricedSecrets = (canary: string): fc.Arbitrary<PricedSecrets> =>
  fc
    .record(
      {
        PRICE_API_KEY: anyText(canary),
        PRICE_FEED_URL: anyText(canary),
        OTHER: fc.constantFrom('value', canary),
      },
      { requiredKeys: [] },
    )
    .chain((record) =>
      // Mostly without the member that is always invalid.
      fc.boolean().map((keep) => {
        const { OTHER, ...rest } = record
        return keep || OTHER === undefined ? rest : { ...rest, OTHER }
      }),
    )
