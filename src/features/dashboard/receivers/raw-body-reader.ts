import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { BodyReader } from '../../../platform/http/bodies/body.interceptor.js';
import type { BodyReservation } from '../../../platform/http/bodies/body-budget.js';
import { bodyTooLarge } from '../../../platform/http/bodies/json-body-reader.js';
import { receiveBytes } from '../../../platform/http/bodies/receive-body.js';

const MAX_BYTES = 256 * 1024;

/** Reads a body of any type as raw bytes, which the signature covers. */
@Injectable()
export class RawBodyReader implements BodyReader {
  async read(request: Request, _: Response, reservation: BodyReservation): Promise<void> {
    const bounds = { maxBytes: MAX_BYTES, tooLarge: () => bodyTooLarge(MAX_BYTES) };
    request.bodyBytes = await receiveBytes(request, reservation, bounds);
  }
}
