import type { Request } from 'express';
import { AppError } from '../../basics/errors/app-error.js';
import type { BodyReservation } from './body-reservation.js';

interface BodyBounds {
  maxBytes: number;
  /** The answer to a larger body. */
  tooLarge: () => AppError;
}

/**
 * Hands each piece of a body to `take` as it arrives, within its reservation: of the announced length, or growing with
 * the body. Rejects with an AppError, or what `take` throws; what is still to come is not read then.
 */
export async function receiveBody(
  request: Request,
  room: BodyReservation,
  { maxBytes, tooLarge }: BodyBounds,
  take: (piece: Buffer) => void,
): Promise<void> {
  const announced = announcedLength(request);
  if (announced > maxBytes) throw tooLarge();
  // Most small bodies are there before the guards are through; Node holds no more than a few pieces of a larger one.
  if (request.complete) {
    const whole = request.read() as Buffer | null;
    if (whole && whole.length > maxBytes) throw tooLarge();
    if (whole) take(whole);
    return;
  }
  if (announced > 0) room.reserve(announced);
  const collect = (piece: Buffer) => {
    room.received += piece.length;
    if (room.received > maxBytes) throw tooLarge();
    if (room.received > room.bytes) room.reserve(Math.min(maxBytes, 2 * room.received));
    take(piece);
  };
  await eachPiece(request, room, collect);
  room.arrived();
}

/** The length that a body says to have; 0 when it says none. */
export function announcedLength({ headers }: Request): number {
  return Number(headers['content-length'] ?? 0);
}

function eachPiece(
  request: Request,
  room: BodyReservation,
  collect: (piece: Buffer) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    // Nothing may refer to what was collected any more: the connection lives on.
    const settle = (settled: () => void) => {
      request.off('data', onData).off('end', onEnd).off('close', onCut).off('error', onCut);
      room.onEnd(() => undefined);
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
      // Every request closes in the end; only one that is not complete was cut off.
      if (!request.complete) fail(brokenOff());
    };
    room.onEnd(fail);
    request.on('data', onData).on('end', onEnd).on('close', onCut).on('error', onCut);
    // The client may have gone while the guards were at work.
    if (request.destroyed) onCut();
  });
}

/** The answer to a body that ends too early, should anybody be there to read it. */
export function brokenOff(): AppError {
  return new AppError('bad_request', 'The body ended before its announced length. Send it again.');
}
