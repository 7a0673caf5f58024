import { type PGlite, protocol, types } from '@electric-sql/pglite'
import { createSerialQueue } from 'polgate-lib/async/serialQueue.ts'
import type { QueryOptions, Row } from './database.ts'

const { serialize, Parser } = protocol

/** The types of a statement's parameters, and the columns of its rows. */
type Description = {
  readonly parameters: readonly number[]
  readonly columns: readonly { readonly name: string; readonly dataTypeID: number }[]
  /** The name under which the plan is kept; empty: planned with each run. */
  readonly name: string
}

type Engine = Pick<PGlite, 'execProtocolRaw' | 'serializers' | 'parsers'>

type Message = { readonly name: string }

const commandsOf = (messages: readonly Message[]) =>
  messages.flatMap((message) =>
    message.name === 'commandComplete'
      ? [(message as InstanceType<typeof protocol.messages.CommandCompleteMessage>).text]
      : [],
  )

/** Texts with a list of varying length would otherwise fill the memory. */
const maxDescriptions = 500

/**
 * The statements of one embedded engine. PGlite parses, describes, binds and runs a statement in six
 * calls of the module, each time; here it is described once, and runs in one call.
 *
 * Statements run in the order of their calls, each as a whole: a rollback comes after those that were
 * called before it.
 */
export class Statements {
  readonly #engine: Engine
  readonly #descriptions = new Map<string, Description>()
  readonly #queue = createSerialQueue()
  #names = 0

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** @throws the error of PostgreSQL */
  query<T extends Row>(
    sql: string,
    params: readonly unknown[],
    options?: QueryOptions,
  ): Promise<T[]> {
    return this.#queue.run(() => this.#run<T>(sql, params, options))
  }

  async #run<T extends Row>(
    sql: string,
    params: readonly unknown[],
    options?: QueryOptions,
  ): Promise<T[]> {
    const { name, parameters, columns } = await this.#described(sql, options)
    const values = params.map((value, at) => this.#serialized(value, parameters[at]))
    const messages = await this.#send(
      ...(name === '' ? [serialize.parse({ text: sql })] : []),
      serialize.bind({ statement: name, values }),
      serialize.execute({}),
      serialize.sync(),
    )
    const { parsers } = this.#engine
    return messages.flatMap((message) => {
      if (message.name !== 'dataRow') return []
      const { fields } = message as InstanceType<typeof protocol.messages.DataRowMessage>
      const row = columns.map(({ name: column, dataTypeID }, at) => [
        column,
        types.parseType(fields[at] ?? null, dataTypeID, parsers),
      ])
      return [Object.fromEntries(row) as T]
    })
  }

  /**
   * Several statements without parameters.
   *
   * @returns the command that each ran: `COMMIT`
   */
  execute(script: string): Promise<readonly string[]> {
    return this.#queue.run(async () => {
      const messages = await this.#send(serialize.query(script))
      // It may have changed the columns of a table.
      await this.#forget()
      return commandsOf(messages)
    })
  }

  /** The same for statements that change no table: `begin`. */
  command(script: string): Promise<readonly string[]> {
    return this.#queue.run(async () => commandsOf(await this.#send(serialize.query(script))))
  }

  /** Kept plans take memory of the engine, and each change of a table looks at all of them. */
  async #forget(): Promise<void> {
    const keeps = [...this.#descriptions.values()].some(({ name }) => name !== '')
    this.#descriptions.clear()
    if (keeps) await this.#send(serialize.query('deallocate all'))
  }

  async #described(sql: string, options: QueryOptions | undefined): Promise<Description> {
    const known = this.#descriptions.get(sql)
    if (known !== undefined) return known
    if (this.#descriptions.size >= maxDescriptions) await this.#forget()
    const name = options?.planOnce ? `s${++this.#names}` : ''
    const messages = await this.#send(
      serialize.parse({ name, text: sql }),
      serialize.describe({ type: 'S', name }),
      serialize.sync(),
    )
    const of = <M>(kind: string) => messages.find((message) => message.name === kind) as M
    type Parameters = InstanceType<typeof protocol.messages.ParameterDescriptionMessage>
    type Columns = InstanceType<typeof protocol.messages.RowDescriptionMessage> | undefined
    const described: Description = {
      name,
      parameters: of<Parameters>('parameterDescription').dataTypeIDs,
      columns: of<Columns>('rowDescription')?.fields ?? [],
    }
    this.#descriptions.set(sql, described)
    return described
  }

  #serialized(value: unknown, type: number | undefined): string | null {
    if (value === null || value === undefined) return null
    return this.#engine.serializers[type ?? 0]?.(value) ?? String(value)
  }

  async #send(...parts: readonly Uint8Array[]) {
    const answer = await this.#engine.execProtocolRaw(Buffer.concat(parts))
    const messages: Message[] = []
    new Parser().parse(answer, (message) => messages.push(message))
    const failed = messages.find((message) => message instanceof protocol.messages.DatabaseError)
    if (failed !== undefined) throw failed
    return messages
  }
}
