import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';

const MIB = 1024 ** 2;

/** What bodies that are being read may take of a process, and how fast they must come. */
@Injectable()
export class BodyLimits {
  /** Bytes of a body that is never refused for want of room. */
  smallBody = 64 * 1024;
  /** Bytes of all larger bodies together: the process never holds more, whoever sends them. */
  bytes: number;
  /** Bytes of those that one account, or one client address, may have under way. */
  share: number;
  /** Bytes of all small bodies that have not arrived in full; beyond it the oldest of them are ended. */
  smallBytes = 64 * MIB;
  /** How often senders are looked at, in milliseconds. */
  lookMs = 1_000;
  /** A sender must bring `minBytes`, or the rest of its body, in every `looks` looks. */
  looks = 10;
  minBytes = 10 * 1024;

  constructor(config: Config) {
    // One share must hold the largest body that is allowed, with what a form has beside its file.
    this.bytes = Math.max(64 * MIB, 2 * (Math.max(config.bodyLimit, config.importLimit) + MIB));
    this.share = this.bytes / 2;
  }
}
