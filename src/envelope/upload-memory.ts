import { AppError } from '../errors/app-error.js';

/** How many bytes of uploads this process holds: many at once must not fill its memory. */
export class UploadMemory {
  private held = 0;

  constructor(private readonly maxBytes: number) {}

  /** Whether there was room. */
  take(bytes: number): boolean {
    if (this.held + bytes > this.maxBytes) return false;
    this.held += bytes;
    return true;
  }

  release(bytes: number): void {
    this.held -= bytes;
  }

  /** The answer when there is none. */
  exhausted(): AppError {
    return new AppError(
      'unavailable',
      'Too many files are being sent right now. Try again shortly.',
      undefined,
      { retryAfterSeconds: 5 },
    );
  }
}
