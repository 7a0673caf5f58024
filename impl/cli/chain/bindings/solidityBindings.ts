import { abiOf } from 'polgate-chain/artifact.ts'
import type { AbiEvent, AbiFunction, AbiParameter } from 'viem'
import { type BoundContract, boundContracts } from './boundContracts.ts'

/** Structs by their names, each with its members as Solidity declares them. */
type Structs = Map<string, readonly string[]>

const isTuple = ({ type }: AbiParameter): boolean => type.startsWith('tuple')

/** `struct Task[]` of an ABI is `Task[]`; the type of a contract is an address. */
function typeOf(parameter: AbiParameter, structs: Structs): string {
  if (!isTuple(parameter)) return parameter.type
  const { components } = parameter as { readonly components: readonly AbiParameter[] }
  const name = structName(parameter)
  if (!structs.has(name)) {
    // Known before its members are: these may have further structs.
    structs.set(name, [])
    structs.set(
      name,
      components.map((each) => `${typeOf(each, structs)} ${each.name};`),
    )
  }
  return name + parameter.type.slice('tuple'.length)
}

const structName = ({ internalType = '' }: AbiParameter): string =>
  /^struct (?:\w+\.)?(\w+)/.exec(internalType)?.[1] ?? 'Tuple'

const isReference = ({ type }: AbiParameter): boolean =>
  type === 'string' || type === 'bytes' || type.endsWith(']') || type.startsWith('tuple')

const declared = (words: readonly (string | undefined)[]): string =>
  words.filter((word) => word !== undefined && word !== '').join(' ')

function functionText({ name, inputs, outputs, stateMutability }: AbiFunction, structs: Structs) {
  const list = (parameters: readonly AbiParameter[], location: string) =>
    parameters
      .map((each) =>
        declared([typeOf(each, structs), isReference(each) ? location : '', each.name]),
      )
      .join(', ')
  const returned = outputs.length === 0 ? '' : `returns (${list(outputs, 'memory')})`
  const mutability = stateMutability === 'nonpayable' ? '' : stateMutability
  return `    ${declared([`function ${name}(${list(inputs, 'calldata')})`, 'external', mutability, returned])};`
}

function eventText({ name, inputs, anonymous }: AbiEvent, structs: Structs): string {
  const list = inputs.map((each) =>
    declared([typeOf(each, structs), each.indexed ? 'indexed' : '', each.name]),
  )
  return `    event ${name}(${list.join(', ')})${anonymous ? ' anonymous' : ''};`
}

/** The name of the interface that is written for a contract. */
export const interfaceName = (contract: BoundContract): string => `I${contract}`

const licence = '// SPDX-License-Identifier: Apache-2.0\npragma solidity ^0.8.24;\n'

/**
 * A file for each contract with its interface: functions, events and custom errors; and `Types.sol` with
 * the structs of all contracts, whichever are wanted: interfaces that are there already import it too.
 */
export function solidityFiles(contracts: readonly BoundContract[]): ReadonlyMap<string, string> {
  const all: Structs = new Map()
  const files = new Map<string, string>()
  for (const contract of boundContracts) {
    const structs: Structs = new Map()
    const lines = { event: [] as string[], error: [] as string[], function: [] as string[] }
    for (const entry of abiOf(contract)) {
      if (entry.type === 'event') lines.event.push(eventText(entry, structs))
      if (entry.type === 'function') lines.function.push(functionText(entry, structs))
      if (entry.type !== 'error') continue
      const list = entry.inputs.map((each) => declared([typeOf(each, structs), each.name]))
      lines.error.push(`    error ${entry.name}(${list.join(', ')});`)
    }
    const used = [...structs.keys()].sort()
    for (const [name, members] of structs) all.set(name, members)
    if (!contracts.includes(contract)) continue
    const groups = [lines.error, lines.event, lines.function].filter((each) => each.length > 0)
    files.set(
      `${interfaceName(contract)}.sol`,
      [
        licence,
        ...(used.length === 0 ? [] : [`import {${used.join(', ')}} from "./Types.sol";\n`]),
        `interface ${interfaceName(contract)} {`,
        groups.map((each) => each.join('\n')).join('\n\n'),
        '}\n',
      ].join('\n'),
    )
  }
  return files.set('Types.sol', typesText(all))
}

const typesText = (structs: Structs): string =>
  [
    licence,
    [...structs]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(
        ([name, members]) =>
          `struct ${name} {\n${members.map((each) => `    ${each}\n`).join('')}}\n`,
      )
      .join('\n'),
  ].join('\n')
