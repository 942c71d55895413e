import type { Request } from 'express';
import { AppError } from '../../basics/errors/app-error.js';
import type { BodyReservation } from './body-budget.js';

interface BodyBounds {
  maxBytes: number;
  /** Creates the error for a larger body. */
  tooLarge: () => AppError;
}

/**
 * Passes each piece of a body to `take` as it arrives. The reservation covers the announced length, or grows with the
 * body. Rejects with an AppError or with the error that `take` throws, and then leaves the rest of the body unread.
 */
export async function receiveBody(
  request: Request,
  reservation: BodyReservation,
  { maxBytes, tooLarge }: BodyBounds,
  take: (piece: Buffer) => void,
): Promise<void> {
  const announced = announcedLength(request);
  if (announced > maxBytes) throw tooLarge();
  // Most small bodies are complete before the guards have run. Node buffers only a few pieces of a larger one.
  if (request.complete) {
    const whole = request.read() as Buffer | null;
    if (whole && whole.length > maxBytes) throw tooLarge();
    if (whole) take(whole);
    return;
  }
  if (announced > 0) reservation.reserve(announced);
  const collect = (piece: Buffer) => {
    reservation.received += piece.length;
    if (reservation.received > maxBytes) throw tooLarge();
    if (reservation.received > reservation.bytes) {
      reservation.reserve(Math.min(maxBytes, 2 * reservation.received));
    }
    take(piece);
  };
  await eachPiece(request, reservation, collect);
  reservation.arrived();
}

/** Receives a whole body into memory. Throws like {@link receiveBody}. */
export async function receiveBytes(
  request: Request,
  reservation: BodyReservation,
  bounds: BodyBounds,
): Promise<Buffer> {
  const body = new BufferBuilder(announcedLength(request));
  await receiveBody(request, reservation, bounds, (piece) => {
    body.append(piece);
  });
  return body.bytes();
}

/** Returns the value of Content-Length; 0 without one. */
export function announcedLength({ headers }: Request): number {
  return Number(headers['content-length'] ?? 0);
}

function eachPiece(
  request: Request,
  reservation: BodyReservation,
  collect: (piece: Buffer) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    // Removes every reference to the collected bytes, because the connection outlives the body.
    const settle = (settled: () => void) => {
      request.off('data', onData).off('end', onEnd).off('close', onCut).off('error', onCut);
      reservation.onEnd(() => undefined);
      settled();
    };
    const fail = (error: Error) => {
      settle(() => {
        reject(error);
      });
    };
    const onData = (piece: Buffer) => {
      try {
        collect(piece);
      } catch (error) {
        fail(error as Error);
      }
    };
    const onEnd = () => {
      settle(resolve);
    };
    const onCut = () => {
      // Every request closes at the end; an incomplete one was cut off.
      if (!request.complete) fail(brokenOff());
    };
    reservation.onEnd(fail);
    request.on('data', onData).on('end', onEnd).on('close', onCut).on('error', onCut);
    // The client may have disconnected while the guards ran.
    if (request.destroyed) onCut();
  });
}

export function brokenOff(): AppError {
  return new AppError('bad_request', 'The body ended before its announced length. Send it again.');
}

/** Collects pieces in one Buffer: a list of one-byte pieces would take hundreds of times their size. */
export class BufferBuilder {
  private buffer: Buffer = Buffer.alloc(0);
  private length = 0;

  /** `expected` is the announced total length, or 0 if it is unknown. */
  constructor(private readonly expected: number) {}

  get size(): number {
    return this.length;
  }

  append(piece: Buffer): void {
    const length = this.length + piece.length;
    if (this.length === 0 && length >= this.expected) {
      this.buffer = piece;
    } else {
      if (length > this.buffer.length) this.grow(Math.max(2 * length, this.expected));
      piece.copy(this.buffer, this.length);
    }
    this.length = length;
  }

  bytes(): Buffer {
    return this.buffer.subarray(0, this.length);
  }

  private grow(size: number): void {
    // The operating system assigns pages of this memory only as bytes are written to them.
    const larger = Buffer.allocUnsafeSlow(size);
    this.buffer.copy(larger, 0, 0, this.length);
    this.buffer = larger;
  }
}
