import { Injectable } from '@nestjs/common';

/** How much of answers may wait for their readers, and for how long. */
@Injectable()
export class UnreadLimits {
  /** How often answers are looked at, in milliseconds. */
  lookMs = 250;
  /** How long a client may take nothing of what it was given, and how much longer for each byte of that. */
  graceMs = 30_000;
  bytesPerSecond = 16 * 1024;
  /** Bytes of all unread answers of the process. */
  bytes = 64 * 1024 ** 2;
}
