/** What to do about custom errors of the registries of private data, and of policies. */
export const registryHints: Readonly<Record<string, string>> = {
  AlreadyLinked: 'Revoke the link before you make another one.',
  ExpireAfterTooLong: 'Set an expireAfter of at most 50,400 blocks.',
  InvalidDomainCount: 'Pass 1 to 50 domains.',
  InvalidLinkSignature:
    "Sign again: a signature ends with its signer's next link or revocation, and fits one link only.",
  LinkExpired: 'Sign again, with a later deadline.',
  NotClientOwner: 'Use the account that owns the policy client.',
  NotGranted: 'There is no such grant: check client and domain.',
  NotIdentityOwner: 'Use the account of the identity owner.',
  NotPartyOfLink: 'A link is revoked by the identity owner or by the user.',
  ProviderAlreadyRegistered: 'A provider has one data type: remove it, or use another account.',
  NotProvider: 'The owner of the registry registers providers.',
  ProviderNotRegistered: 'The owner of the registry registers providers.',
  ProviderOfAnotherType: 'Use the data type that the provider is registered with.',
  RegistrationExpired: 'Upload the identity again.',
  SourceNotSet: 'The client has no source of this type.',
  TooManyLinks: 'A user has at most 50 links at a policy client: revoke some.',
  TooManySources: 'A policy client has at most 8 sources: remove one.',
}
