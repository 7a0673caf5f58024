/** Webhooks and updates. */
export const WebhooksView = () => <h1>Webhooks and updates</h1>
