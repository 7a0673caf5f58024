/** What to do where a policy client refuses an attestation, or the call of its intent. */
export const attestationHints: Readonly<Record<string, string>> = {
  IntentTargetRefused:
    "The call would change rights of the policy client itself. If that is meant, the client's owner allows the target with setTargetAllowed(target, true).",
  IntentTargetHasNoCode:
    'The intent has data for an address without a contract. Check the target and the chain, and create the task again.',
  PolicyConfigChanged:
    "The policy has another configuration for the same id: the client's owner sets the policy again.",
}
