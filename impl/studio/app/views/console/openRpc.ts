import type { Components, Member, Schema } from './schema.ts'

/** A method of the gateway, as `rpc.discover` describes it. */
export type RpcMethod = {
  readonly name: string
  /** Without the prefix of the brand. */
  readonly title: string
  readonly summary: string
  readonly permission: string | undefined
  readonly members: readonly Member[]
}

export type RpcDocument = {
  readonly methods: readonly RpcMethod[]
  readonly components: Components
}

type OpenRpc = {
  readonly components?: Components
  readonly methods: readonly {
    readonly name: string
    readonly summary?: string
    readonly params: readonly {
      readonly name: string
      readonly required?: boolean
      readonly schema: Schema
    }[]
    readonly 'x-permission'?: string
  }[]
}

/** @param prefix of the names of methods, such as `svc_` */
export function rpcDocument(document: unknown, prefix: string): RpcDocument {
  const { methods, components = {} } = document as OpenRpc
  return {
    components,
    methods: methods.map(({ name, summary = '', params, 'x-permission': permission }) => ({
      ...{ name, summary, permission },
      title: name.startsWith(prefix) ? name.slice(prefix.length) : name,
      members: params.map((param) => ({
        ...{ name: param.name, schema: param.schema },
        required: param.required === true,
      })),
    })),
  }
}

/** Keys by permission: the least one that may call the method, of those that the target has. */
export function keyFor(
  permission: string | undefined,
  names: readonly string[],
): string | undefined {
  const wanted = { RpcRead: ['rpc', 'write'], RpcWrite: ['write', 'rpc'] }[permission ?? ''] ?? [
    'read',
  ]
  return wanted.find((name) => names.includes(name)) ?? names[0]
}
