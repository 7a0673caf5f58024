import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { replaceFile } from 'polgate-lib/files/replaceFile.ts'
import { packageVersion } from 'polgate-lib/packageVersion.ts'
import { CommandError } from '../commandDefinition.ts'
import { packageFileName } from '../package/policyPackage.ts'
import { editorFiles } from '../rego/capabilitiesDocument.ts'
import { type InitPolicyOptions, templateLines, templateNames } from './templateNames.ts'

const templateFolder = fileURLToPath(new URL('../templates/', import.meta.url))

/**
 * `polgate policy init`: writes a policy package whose tests pass. Existing files are never replaced.
 *
 * @throws CommandError without a template, and if a file exists or cannot be written
 */
export async function initPolicy(
  directory: string,
  { template }: InitPolicyOptions,
): Promise<void> {
  if (template === undefined) {
    throw new CommandError(`no template is given:\n${templateLines}`, {
      hint: `For example: polgate policy init ${directory} --template ${templateNames[0]}`,
    })
  }
  const source = join(templateFolder, template)
  const names = (await readdir(source, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(source, join(entry.parentPath, entry.name)))
    .sort()
  const own = editorFiles()
  const all = [...names, ...own.map(([name]) => name)]
  const present: string[] = []
  for (const name of all)
    if ((await stat(join(directory, name)).catch(() => undefined)) !== undefined) present.push(name)
  if (present.length > 0) {
    throw new CommandError(
      `${directory} already has ${present.slice(0, 5).join(', ')}${present.length > 5 ? ` and ${present.length - 5} more` : ''}`,
      { hint: 'Nothing was written. Choose another folder.' },
    )
  }
  for (const name of names) await copy(source, directory, name)
  for (const [name, text] of own) await write(join(directory, name), text)
  for (const name of all) console.log(`wrote ${join(directory, name)}`)
  console.log(`next: polgate policy test ${directory}`)
}

async function copy(source: string, directory: string, name: string): Promise<void> {
  const text = await readFile(join(source, name), 'utf8')
  await write(join(directory, name), ownText(name, text, directory))
}

async function write(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true })
    await replaceFile(path, text, { exclusive: true })
  } catch (cause) {
    const { code = 'failed' } = cause as NodeJS.ErrnoException
    throw new CommandError(`${path} cannot be written: ${code}`, {
      hint: 'Check that the folder is writable.',
      cause,
    })
  }
}

function ownText(name: string, text: string, directory: string): string {
  if (name === packageFileName) return named(text, directory)
  return name.endsWith('.yml') ? pinned(text) : text
}

/** A workflow installs the release that has written it: what passes here passes there. */
const pinned = (text: string): string =>
  text.replace(/(npm install .*\b)polgate(?= )/g, `$1polgate@${packageVersion}`)

/** The package has the name of its folder, where that can be one. */
function named(text: string, directory: string): string {
  const name = basename(resolve(directory)).toLowerCase()
  return /^[a-z][a-z0-9-]{0,62}$/.test(name) ? text.replace(/^name: .*$/m, `name: ${name}`) : text
}
