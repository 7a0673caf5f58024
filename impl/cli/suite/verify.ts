import { InvalidArgumentError } from 'commander'
import type { VerifyOptions } from 'polgate-conformance/commands/verify.ts'
import type { Verb } from '../verb.ts'
import { runCommand } from './command.ts'

const percent = (text: string): number => {
  const value = Number(text)
  if (!(value > 0 && value <= 100)) throw new InvalidArgumentError('give a percentage up to 100.')
  return value
}
const usualPercent = 5

const help = `
Examples:
  svc verify out --key certify-key.pem.pub          certificate.json and events.ndjson of a directory
  svc verify certificate.json --events events.ndjson --key their.pub
  svc verify out --key their.pub --challenge 5      ask the live target 5 % of it again
  svc verify --new-key certify-key.pem              a pair of keys, for svc certify --sign-key

Result and score are recomputed from the evidence; what the certificate says of them is not trusted. Take the
key from who signed, never from beside the certificate.

Exit codes: 0 it holds and says conformant, 1 it does not hold or says otherwise, 2 could not run.`

/** Verifies the certificate of a run against its evidence. */
export const verify: Verb = {
  define: (command) => {
    command
      .argument('[certificate]', 'certificate.json, or the directory of reports that holds it')
      .option('--events <file>', 'the event log that it is over; the one beside it by default')
      .option('--key <file>', 'the public key that is trusted (PEM); else that of this machine')
      .option('--challenge [percent]', 'ask the live target so much of it again', percent)
      .option('--target-file <file>', 'what is known of that target')
      .option('--partial', 'take a certificate of a part of the checks too')
      .option('--new-key <file>', 'make a pair of keys: FILE and FILE.pub')
      .option('--json', 'the steps as JSON on stdout')
      .addHelpText('after', help)
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
