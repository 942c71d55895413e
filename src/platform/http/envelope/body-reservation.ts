import type { Request } from 'express';
import { AppError } from '../../basics/errors/app-error.js';
import { clientNetwork } from '../../network/client-address.js';
import type { BodyBudget, BodyLimits, BodyOwner } from './body-budget.js';

/** The room for the body of one request. It takes none until it is asked to. */
export class BodyReservation {
  /** Bytes of the body that have arrived; whoever reads it counts them. */
  received = 0;
  private small = 0;
  private large: { bytes: number; owner: BodyOwner } | undefined;
  private end: (reason: AppError) => void = () => undefined;
  private arriving = false;
  private looks = 0;
  private receivedBefore = 0;

  constructor(
    private readonly budget: BodyBudget,
    private readonly request: Request,
  ) {}

  /** Bytes that there is room for. */
  get bytes(): number {
    return this.large?.bytes ?? this.small;
  }

  /** Has `listener` called, with what to answer, when the rest of the body is not waited for. */
  onEnd(listener: (reason: AppError) => void): void {
    this.end = listener;
  }

  /** Makes room for a body of so many bytes in all. Throws an AppError when there is none. */
  reserve(bytes: number): void {
    if (!this.arriving) {
      this.arriving = true;
      this.budget.watch(this);
    }
    if (bytes <= this.budget.limits.smallBody && !this.large) {
      const more = bytes - this.small;
      this.small = bytes;
      this.budget.takeSmall(more);
      return;
    }
    this.large ??= { bytes: 0, owner: ownerOf(this.request) };
    this.budget.take(this.large.owner, bytes - this.large.bytes);
    this.large.bytes = bytes;
    this.giveSmall();
  }

  /** The body is there: its sender has no more to do. */
  arrived(): void {
    if (!this.arriving) return;
    this.arriving = false;
    this.budget.unwatch(this);
    this.giveSmall();
  }

  /** Gives everything back; a large body itself is let go of. */
  release(): void {
    this.arrived();
    if (!this.large) return;
    this.budget.give(this.large.owner, this.large.bytes);
    this.large = undefined;
    this.request.body = undefined;
    delete this.request.bodyBytes;
  }

  /** Ends a body that comes too slowly. What has come and waits to be read is not its sender's fault. */
  look(): void {
    const { limits } = this.budget;
    this.looks += 1;
    if (this.looks < limits.looks) return;
    const brought = this.received - this.receivedBefore;
    if (brought < limits.minBytes && this.request.readableLength === 0) {
      this.end(tooSlow(limits));
    }
    this.looks = 0;
    this.receivedBefore = this.received;
  }

  /** Ends a small body, to make room. */
  endIfSmall(reason: AppError): void {
    if (this.small === 0) return;
    this.giveSmall();
    this.end(reason);
  }

  private giveSmall(): void {
    this.budget.giveSmall(this.small);
    this.small = 0;
  }
}

function ownerOf({ principal, ip = '' }: Request): BodyOwner {
  return { account: principal?.accountId ?? '', address: clientNetwork(ip) };
}

/** The answer to a body that does not come, or hardly. */
function tooSlow({ minBytes, looks, lookMs }: BodyLimits): AppError {
  return new AppError(
    'request_timeout',
    `The body arrives too slowly: less than ${String(minBytes)} bytes in ${String((looks * lookMs) / 1000)} seconds. Send it again.`,
    { minBytes },
  );
}
