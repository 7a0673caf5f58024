import { AppError } from 'polgate-lib/errors/appError.ts'

/** Any error of this folder. No message ever holds a secret. */
export class AttestationError extends AppError<{ hint: string; clause: string; cause?: unknown }> {}
