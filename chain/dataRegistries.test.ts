import { bytesToHex, type Hex, hashTypedData, hexToBytes, numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { devAccount } from './accounts.ts'
import { type RunningAnvil, startAnvil } from './anvil.ts'
import { confidentialDataRegistryAbi, identityRegistryAbi } from './artifacts/abis.ts'
import {
  readProviderDataType,
  registerProvider,
  removeProvider,
} from './confidentialDataRegistry.ts'
import { decodeRevert } from './customErrors.ts'
import { type DataRegistries, deployDataRegistries } from './deploy.ts'
import {
  type IdentityRegistration,
  identityDomainOf,
  identityRegistration,
  readBoundIdentity,
  registerIdentityData,
  setIdentityGateway,
} from './identityRegistry.ts'
import { createTransactor, type Transactor } from './transactor.ts'

let anvil: RunningAnvil
let owner: Transactor
let registries: DataRegistries
const gateway = devAccount(9)
const person = devAccount(1)
const provider = devAccount(3)

beforeAll(async () => {
  anvil = await startAnvil()
  owner = await createTransactor({ rpcUrl: anvil.url, account: devAccount(0) })
  registries = await deployDataRegistries(owner, { gateway: gateway.address })
})
afterAll(() => anvil.stop())

const transactorOf = (account: ReturnType<typeof devAccount>) =>
  createTransactor({ rpcUrl: anvil.url, account })

describe('the identity registry', () => {
  const registration: IdentityRegistration = {
    identityOwner: person.address,
    identityDomain: `0x${'0d'.repeat(32)}`,
    dataRefId: 'first',
    deadline: 1n << 40n,
  }
  const typedData = (message: IdentityRegistration) => ({
    domain: identityDomainOf(31_337, registries.identityRegistry),
    ...identityRegistration,
    message,
  })
  const register = async (message: IdentityRegistration, signer = gateway) =>
    registerIdentityData(await transactorOf(person), registries.identityRegistry, {
      ...message,
      gatewaySignature: await signer.signTypedData(typedData(message)),
    })
  const bound = () => readBoundIdentity(owner.client, registries.identityRegistry, registration)

  it('accepts EIP-712 signatures of wallets', async () => {
    const { identityRegistry: address } = registries
    const { identityOwner, identityDomain, dataRefId, deadline } = registration
    const digest = await owner.client.readContract({
      address,
      abi: identityRegistryAbi,
      functionName: 'registrationDigest',
      args: [identityOwner, identityDomain, dataRefId, deadline],
    })
    expect(digest).toBe(hashTypedData(typedData(registration)))
    const [, name, version, chainId, verifyingContract] = await owner.client.readContract({
      address,
      abi: identityRegistryAbi,
      functionName: 'eip712Domain',
    })
    expect({ name, version, chainId: Number(chainId), verifyingContract }).toEqual(
      identityDomainOf(31_337, address),
    )
  })

  it('binds the latest data', async () => {
    expect(await bound()).toBe('')
    await register(registration)
    expect(await bound()).toBe('first')
    await register({ ...registration, dataRefId: 'second' })
    expect(await bound()).toBe('second')
    await expect(register(registration)).rejects.toMatchObject({
      errorName: 'RegistrationAlreadyUsed',
    })
    await register({ ...registration, deadline: registration.deadline + 1n })
    expect(await bound()).toBe('first')
  })

  it('refuses a signature with any flipped bit, and its malleated form', async () => {
    const message = { ...registration, dataRefId: 'flipped' }
    const signature = await gateway.signTypedData(typedData(message))
    const register = (gatewaySignature: Hex) =>
      owner.client
        .simulateContract({
          account: person.address,
          address: registries.identityRegistry,
          abi: identityRegistryAbi,
          functionName: 'registerIdentityData',
          args: [
            message.identityOwner,
            message.identityDomain,
            message.dataRefId,
            gatewaySignature,
            message.deadline,
          ],
        })
        .then(
          () => 'accepted',
          (error) => decodeRevert(error)?.errorName,
        )
    expect(await register(signature)).toBe('accepted')
    const bits = Array.from({ length: 65 * 8 }, (_, bit) => {
      const bytes = hexToBytes(signature)
      bytes[bit >> 3]! ^= 1 << (bit & 7)
      return bytesToHex(bytes)
    })
    for (let at = 0; at < bits.length; at += 40) {
      const outcomes = await Promise.all(bits.slice(at, at + 40).map(register))
      expect(new Set(outcomes)).toEqual(new Set(['InvalidGatewaySignature']))
    }
    expect(await register(otherForm(signature))).toBe('InvalidGatewaySignature')
    expect(await register('0x')).toBe('InvalidGatewaySignature')
  })

  it('accepts only signatures of its current gateway', async () => {
    const { identityRegistry } = registries
    const next = devAccount(8)
    await setIdentityGateway(owner, identityRegistry, next.address)
    const fresh = { ...registration, dataRefId: 'third' }
    await expect(register(fresh)).rejects.toMatchObject({ errorName: 'InvalidGatewaySignature' })
    await register(fresh, next)
    expect(await bound()).toBe('third')
    await setIdentityGateway(owner, identityRegistry, gateway.address)
  })
})

describe('the registry of confidential data', () => {
  const dataType = () =>
    readProviderDataType(owner.client, registries.confidentialDataRegistry, provider.address)
  const isProvider = () =>
    owner.client.readContract({
      address: registries.confidentialDataRegistry,
      abi: confidentialDataRegistryAbi,
      functionName: 'isProvider',
      args: [provider.address],
    })

  it('stores providers and their data types', async () => {
    const { confidentialDataRegistry: registry } = registries
    expect(await dataType()).toBeUndefined()
    expect(await isProvider()).toBe(false)
    await registerProvider(owner, registry, {
      provider: provider.address,
      dataType: 'é'.repeat(32),
    })
    expect(await dataType()).toBe('é'.repeat(32))
    expect(await isProvider()).toBe(true)
    await removeProvider(await transactorOf(provider), registry, provider.address)
    expect(await dataType()).toBeUndefined()
    await registerProvider(owner, registry, { provider: provider.address, dataType: 'again' })
    await removeProvider(owner, registry, provider.address)
    expect(await isProvider()).toBe(false)
  })

  it('accepts data types of at most 64 bytes', async () => {
    const { confidentialDataRegistry: registry } = registries
    const long = { provider: provider.address, dataType: 'x'.repeat(65) }
    await expect(registerProvider(owner, registry, long)).rejects.toMatchObject({
      errorName: 'InvalidDataType',
    })
  })

  it('cannot be read at an address without a registry', async () => {
    const reading = readProviderDataType(owner.client, provider.address, provider.address)
    await expect(reading).rejects.toMatchObject({ code: 'no-contract' })
  })
})

/** The malleated signature with the higher `s`, which recovers to the same account. */
function otherForm(signature: Hex): Hex {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const s = numberToHex(order - BigInt(`0x${signature.slice(66, 130)}`), { size: 32 })
  return `${signature.slice(0, 66) as Hex}${s.slice(2)}${signature.endsWith('1b') ? '1c' : '1b'}`
}
