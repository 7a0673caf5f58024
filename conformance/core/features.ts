/** What a gateway may declare that it has. */
export const featureNames = [
  'webhooks',
  'websocket',
  'explorer',
  'second-network',
  'secrets',
  'privacy-key',
  'identity',
  'confidential',
  'batch',
  'discover',
] as const
export type Feature = (typeof featureNames)[number]

/** Result for one feature: declared or not, present or not. */
export type FeatureFound = {
  readonly name: Feature
  readonly declared: boolean
  readonly there: boolean
  /** Why it counts as missing. */
  readonly reason?: string
}

/** Declared features that are missing: findings. */
export const missingFeatures = (features: readonly FeatureFound[]): readonly FeatureFound[] =>
  features.filter(({ declared, there }) => declared && !there)
