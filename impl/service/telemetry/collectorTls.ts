import { readFile } from 'node:fs/promises'
import { ServiceError } from 'polgate-protocol/serviceError.ts'

/** Options of the TLS connection to the collector, from the standard variables. */
export type CollectorTls = { readonly ca?: Buffer; readonly cert?: Buffer; readonly key?: Buffer }

const members = { ca: 'CERTIFICATE', cert: 'CLIENT_CERTIFICATE', key: 'CLIENT_KEY' } as const

/**
 * Reads the files of OTEL_EXPORTER_OTLP_CERTIFICATE, _CLIENT_CERTIFICATE and _CLIENT_KEY; those with
 * TRACES in their names come first. The library reads them only for agents of its own.
 *
 * @throws ServiceError naming the variable whose file cannot be read
 */
export async function collectorTls(env: NodeJS.ProcessEnv): Promise<CollectorTls> {
  const read = await Promise.all(
    Object.entries(members).map(async ([member, name]) => {
      const variable = [`OTEL_EXPORTER_OTLP_TRACES_${name}`, `OTEL_EXPORTER_OTLP_${name}`].find(
        (each) => env[each]?.trim(),
      )
      return variable === undefined ? [] : [[member, await fileOf(variable, env[variable]!.trim())]]
    }),
  )
  return Object.fromEntries(read.flat())
}

async function fileOf(variable: string, path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new ServiceError(
      `Invalid configuration: the file of ${variable} cannot be read: ${code}`,
      {
        code: -32603,
        clause: 'the configuration',
        hint: `Set ${variable} to a readable PEM file, or remove it.`,
        cause,
      },
    )
  }
}
