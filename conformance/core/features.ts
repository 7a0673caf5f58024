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

/** What became of one feature: declared or not, there or not. */
export type FeatureFound = {
  readonly name: Feature
  readonly declared: boolean
  readonly there: boolean
  /** Why it counts as missing. */
  readonly reason?: string
}

/** Those that are declared and are not there: findings. */
export const brokenPromises = (features: readonly FeatureFound[]): readonly FeatureFound[] =>
  features.filter(({ declared, there }) => declared && !there)
