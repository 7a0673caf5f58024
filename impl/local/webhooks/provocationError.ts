import { AppError } from 'polgate-lib/errors/appError.ts'

/** A failure that cannot be brought about, or not now. */
export class ProvocationError extends AppError {}
