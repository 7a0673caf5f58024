import pg from 'pg'
import { type Channel, type ChannelListener, createOutbox } from './channel.ts'
import type { Queries } from './database.ts'

const firstRetryMs = 100
const lastRetryMs = 5_000
/** How often an idle connection is probed, and the timeout of the probe. */
const probeMs = 10_000

/**
 * A channel by LISTEN and NOTIFY: a dedicated connection listens and is replaced whenever it
 * breaks; messages are sent through the pool. The channel is specific to the schema, as the tables
 * are.
 */
export function openServerChannel(
  connect: () => pg.Client,
  pool: Queries,
  name: string,
  listener: ChannelListener,
): Channel {
  // Notifications are not scoped to a schema, and a name in PostgreSQL has at most 63 bytes.
  const scoped = `'${name}_' || md5(current_schema())`
  const outbox = createOutbox(async (payloads) => {
    await pool.query(`select pg_notify(${scoped}, line) from unnest($1::text[]) line`, [payloads])
  })
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let open = false
  let closed = false
  let retryMs = firstRetryMs

  const schedule = (work: () => void, ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(work, ms)
    timer.unref()
  }
  /** Handles the loss of a connection once, however many events report it. */
  const onLost = (lostClient: pg.Client) => {
    if (client !== lostClient) return
    client = undefined
    open = false
    lostClient.end().catch(() => {})
    if (closed) return
    schedule(listen, retryMs)
    retryMs = Math.min(2 * retryMs, lastRetryMs)
  }
  /** Detects a peer that vanished without closing the connection. */
  const probe = (current: pg.Client) => {
    if (client !== current) return
    const timeout = setTimeout(() => onLost(current), probeMs)
    timeout.unref()
    current.query('select 1').then(
      () => {
        clearTimeout(timeout)
        if (client === current) schedule(() => probe(current), probeMs)
      },
      () => {
        clearTimeout(timeout)
        onLost(current)
      },
    )
  }
  const listen = () => {
    const current = connect()
    client = current
    current.on('error', () => onLost(current))
    current.on('end', () => onLost(current))
    current.on('notification', ({ payload = '' }) => {
      for (const line of payload.split('\n')) listener.message(line)
    })
    start(current).then(
      () => {
        if (client !== current) return
        open = true
        retryMs = firstRetryMs
        schedule(() => probe(current), probeMs)
        listener.gap()
      },
      () => onLost(current),
    )
  }
  const start = async (current: pg.Client) => {
    await current.connect()
    const { rows } = await current.query<{ name: string }>(`select ${scoped} as name`)
    await current.query(`listen ${pg.escapeIdentifier(rows[0]?.name ?? name)}`)
  }
  listen()

  return {
    send: outbox.send,
    isOpen: () => open,
    async close() {
      closed = true
      clearTimeout(timer)
      await outbox.flush()
      const last = client
      client = undefined
      open = false
      await last?.end().catch(() => {})
    },
  }
}
