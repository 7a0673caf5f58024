import { extname, relative } from 'node:path'
import type { SchemaSet } from 'polgate-rego/types/schemas.ts'
import { CommandError } from '../commandDefinition.ts'
import { infoOf, readText, unreadable } from '../rego/files.ts'
import { walkFiles } from '../rego/walkFiles.ts'

/** A file is the schema of the input; those of a directory are named by annotations. @throws CommandError */
export function policySchemas(path: string): SchemaSet {
  const info = infoOf(path)
  if (info === undefined) throw unreadable(path, { code: 'ENOENT' })
  if (!info.isDirectory()) return { input: schemaAt(path), named: new Map() }
  const named = walkFiles(path, {}).map((file) => {
    const name = relative(path, file)
    return [name.slice(0, name.length - extname(name).length), schemaAt(file)] as const
  })
  return { named: new Map(named) }
}

function schemaAt(path: string): unknown {
  try {
    return JSON.parse(readText(path))
  } catch (cause) {
    if (cause instanceof CommandError) throw cause
    throw new CommandError(`${path} is not a JSON schema: ${(cause as Error).message}`, {
      hint: 'Pass a file with a schema, or a folder of such files.',
      cause,
    })
  }
}
