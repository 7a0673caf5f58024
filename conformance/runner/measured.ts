/**
 * Checks that take long on a quiet machine, milliseconds. Written by
 * `npm run bench:certify -- --write`; an id that is gone, or new, does no harm.
 */
export const measured: Readonly<Record<string, number>> = {
  'webhook.backoff.cap': 33_700,
  'webhook.timeout.default': 10_700,
}
