import { randomBytes } from 'node:crypto'
import type { Brand } from 'polgate-protocol/brand.ts'
import type { Clock } from 'polgate-protocol/clock.ts'
import type { Store } from '../store/openStore.ts'
import { type AttemptDeps, attemptDelivery } from './attempt.ts'
import { createDeliverer, type Deliverer, type WebhookLog } from './deliverer.ts'
import type { DeliverySlotLimits } from './deliverySlots.ts'
import { createRegistry, type WebhookRegistry } from './registry.ts'
import { secretSealer } from './sealedSecret.ts'
import { createSender, type Send } from './sender.ts'
import type { TargetOptions } from './target.ts'

export type WebhooksOptions = TargetOptions & {
  readonly store: Pick<Store, 'webhooks' | 'notifications' | 'database'>
  readonly brand: Pick<Brand, 'signatureHeader'>
  /** The gateway's key, 32 bytes of hex, from which the encryption key of secrets is derived. */
  readonly gatewayKey: string
  /** Sent as `User-Agent`. */
  readonly userAgent: string
  readonly clock: Clock
  readonly log: WebhookLog
  readonly random?: ((size: number) => Uint8Array) | undefined
  readonly send?: Send | undefined
  readonly limits?: DeliverySlotLimits | undefined
  /** Poll interval of the outbox in milliseconds, default 5,000. */
  readonly pollMs?: number | undefined
}

export type Webhooks = Deliverer & { readonly registry: WebhookRegistry }

/** A slot is an open socket; many, so that one owner of silent receivers cannot fill them. */
const defaultLimits: DeliverySlotLimits = { total: 256, perKey: 4 }

/** Webhooks: registration (section 4.9) and delivery (sections 5.5 and 6.2). */
export function createWebhooks(options: WebhooksOptions): Webhooks {
  const { store, allowLoopback, clock, log } = options
  const deps = attemptDeps(options)
  const deliverer = createDeliverer({
    outbox: store.notifications,
    attempt: (claimed, signal) => attemptDelivery(deps, claimed, signal),
    limits: options.limits ?? defaultLimits,
    alone: store.database.engine === 'embedded',
    pollMs: options.pollMs,
    clock,
    log,
  })
  return {
    ...deliverer,
    registry: createRegistry({ webhooks: store.webhooks, sealer: deps.sealer, allowLoopback }),
  }
}

/** What deliveries of these webhooks are made with. */
export const attemptDeps = (options: WebhooksOptions): AttemptDeps => ({
  send: options.send ?? createSender(),
  sealer: secretSealer(options.gatewayKey, options.random ?? randomBytes),
  allowLoopback: options.allowLoopback,
  signatureHeader: options.brand.signatureHeader,
  userAgent: options.userAgent,
  clock: options.clock,
})
