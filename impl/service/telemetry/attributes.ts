/**
 * Names of attributes that are this service's own; the others are of the semantic conventions of
 * OpenTelemetry. No value is a secret, an envelope, a key of a caller, or what a caller sent as content.
 */
export const attribute = {
  taskId: 'polgate.task.id',
  taskStatus: 'polgate.task.status',
  decision: 'polgate.task.decision',
  policyClient: 'polgate.policy.client',
  policyId: 'polgate.policy.id',
  chainId: 'polgate.chain.id',
  quorum: 'polgate.quorum.numbers',
  threshold: 'polgate.quorum.threshold',
  resumed: 'polgate.task.resumed',
  /** Id of an API key, not the key. */
  keyId: 'polgate.key_id',
  operator: 'polgate.operator.address',
  operatorId: 'polgate.operator.id',
  sources: 'polgate.oracle.sources',
  cid: 'polgate.content.id',
  waitMs: 'polgate.oracle.wait_ms',
  computeMs: 'polgate.oracle.compute_ms',
  hostMs: 'polgate.oracle.host_ms',
  instantiateMs: 'polgate.oracle.instantiate_ms',
  httpCalls: 'polgate.oracle.http_calls',
  tasks: 'polgate.tasks',
  fromBlock: 'polgate.block.from',
  toBlock: 'polgate.block.to',
  events: 'polgate.chain.events',
  attempt: 'polgate.webhook.attempt',
  notificationId: 'polgate.notification.id',
  failureType: 'polgate.failure_type',
  update: 'polgate.update.event',
} as const
