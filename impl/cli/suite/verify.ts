import { InvalidArgumentError } from 'commander'
import type { VerifyOptions } from 'polgate-conformance/commands/verify.ts'
import type { CommandDefinition } from '../commandDefinition.ts'
import { runCommand } from './command.ts'
import { suiteHelp } from './suiteHelp.ts'

function percent(text: string): number {
  const value = Number(text)
  if (!(value > 0 && value <= 100))
    throw new InvalidArgumentError('must be a percentage above 0 and up to 100.')
  return value
}
const usualPercent = 5

const help = `
Examples:
  polgate verify out --key certify-key.pem.pub          certificate.json and events.ndjson of a directory
  polgate verify certificate.json --events events.ndjson --key their.pub
  polgate verify out --key their.pub --challenge 5      rerun 5 % of the checks against the live target
  polgate verify --new-key certify-key.pem              create a key pair for polgate certify --sign-key

Result and score are recomputed from the evidence, not trusted from the certificate. Obtain the key
from the signer, never together with the certificate.

Exit codes: 0 valid, and the profiles hold that it names, 1 invalid or not conformant, 2 could not run.`

/** Verifies the certificate of a run against its evidence. */
export const verify: CommandDefinition = {
  define: (command) => {
    command
      .argument('[certificate]', 'certificate.json, or its report directory')
      .option('--events <file>', 'event log of the run; by default the one next to the certificate')
      .option('--key <file>', 'trusted public key (PEM); by default that of this machine')
      .option(
        '--challenge [percent]',
        'rerun this share of the checks against the live target',
        percent,
      )
      .option('--target-file <file>', 'target file of that target')
      .option('--new-key <file>', 'create a key pair: FILE and FILE.pub')
      .option('--json', 'print the steps as JSON')
      .addHelpText('after', suiteHelp(help))
      .action(
        (
          certificate: string | undefined,
          {
            challenge,
            ...options
          }: Omit<VerifyOptions, 'challenge'> & { challenge?: number | true },
        ) =>
          runCommand(async (world) => {
            const { verify: run } = await import('polgate-conformance/commands/verify.ts')
            const asked = challenge === true ? usualPercent : challenge
            return run({ ...options, certificate, challenge: asked }, world)
          }),
      )
  },
}
