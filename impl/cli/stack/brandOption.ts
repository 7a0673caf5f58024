import { Brand, defaultBrand, wireBrand } from 'polgate-protocol/brand.ts'
import { CommandError } from '../commandDefinition.ts'

type Member = keyof Brand

/** Members of a brand by what the option calls them. */
const parts: Readonly<Record<string, readonly Member[]>> = {
  methods: ['methodPrefix'],
  topics: ['topicPrefix'],
  headers: ['signatureHeader', 'networkHeader'],
  'signature-header': ['signatureHeader'],
  'network-header': ['networkHeader'],
  'host-interface': ['witPackage'],
  'rego-namespace': ['regoNamespace'],
}

/** What a maker's name stands for, for names that contents have as well. */
const ofMaker = (maker: string): Brand => ({
  ...wireBrand(maker),
  witPackage: `${maker}:provider`,
  regoNamespace: maker,
})

const maker = /^[a-z][a-z0-9]{0,31}$/

/** Headers with another meaning. */
const reserved =
  /^(accept(-.*)?|authorization|connection|content-.*|cookie|date|expect|host|keep-alive|origin|set-cookie|te|trailer|transfer-encoding|upgrade|user-agent|x-api-key)$/i

/**
 * The brand of the arguments of `--brand`: `acme` for methods, topics and headers, or parts, `methods=acme`,
 * several with commas; a later one counts. A text that is no maker's name is used as it is: `topics=acme/tasks/`.
 *
 * @throws CommandError
 */
export function brandOption(given: readonly string[]): Brand {
  const parts = given.flatMap((text) => text.split(',')).map((text) => brandPart(text.trim()))
  return Object.assign({ ...defaultBrand }, ...parts)
}

function brandPart(text: string): Partial<Brand> {
  const [part = '', ...rest] = text.split('=')
  if (rest.length === 0) {
    if (!maker.test(text))
      throw new CommandError(`--brand ${quoted(text)} is not the name of a brand`, {
        hint: 'Use up to 32 lower-case letters and digits, beginning with a letter, or PART=NAME.',
      })
    const { methodPrefix, topicPrefix, signatureHeader, networkHeader } = wireBrand(text)
    return { methodPrefix, topicPrefix, signatureHeader, networkHeader }
  }
  const members = Object.hasOwn(parts, part) ? parts[part] : undefined
  if (members === undefined)
    throw new CommandError(`--brand: ${quoted(part)} is not a part of a brand`, {
      hint: `Parts are ${Object.keys(parts).join(', ')}.`,
    })
  const name = rest.join('=')
  if (members.length > 1 && !maker.test(name))
    throw new CommandError(`--brand: ${quoted(name)} cannot be the name of both headers`, {
      hint: 'Use a name such as headers=acme, or signature-header= and network-header=.',
    })
  return Object.fromEntries(
    members.map((member) => [
      member,
      checked(part, member, maker.test(name) ? ofMaker(name)[member] : name),
    ]),
  )
}

function checked(part: string, member: Member, name: string): string {
  const { pattern = '' } = Brand.properties[member]
  const isReserved = member.endsWith('Header') && reserved.test(name)
  if (new RegExp(pattern).test(name) && !isReserved) return name
  throw new CommandError(`--brand: ${quoted(name)} cannot be the name of ${part}`, {
    hint: `A usual one is ${ofMaker('acme')[member]}.`,
  })
}

const quoted = (text: string) => JSON.stringify(text.slice(0, 80))
