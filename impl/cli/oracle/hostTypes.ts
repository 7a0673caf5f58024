/** Declarations of the host interface, for editors: the modules that an oracle imports, and `run`. */
export function hostTypes(hostInterface: string): string {
  const [name, version] = hostInterface.split('@')
  return `// The host interface of oracles, ${hostInterface}.
// In JavaScript, begin an oracle with: /// <reference path="./host.d.ts" />

declare module '${name}/http@${version}' {
  export type HttpRequest = {
    url: string
    /** GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS. */
    method: string
    headers: [name: string, value: string][]
    body: Uint8Array | undefined
  }
  export type HttpResponse = {
    /** Every status is a response, none is an error. */
    status: number
    /** Names in lower case. */
    headers: [name: string, value: string][]
    body: Uint8Array
  }
  /** Waits for the response. Throws an object whose \`payload\` is the error, a string. */
  export function fetch(request: HttpRequest): HttpResponse
}

declare module '${name}/secrets@${version}' {
  export type SecretResponse = {
    /** UTF-8 JSON: an object whose values are strings. */
    value: Uint8Array
  }
  /** The secrets of this policy client and PolicyData. Throws an object whose \`payload\` is the error. */
  export function get(): SecretResponse
}
`
}
