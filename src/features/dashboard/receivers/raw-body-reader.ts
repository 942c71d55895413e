import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { BodyReader } from '../../../platform/http/bodies/body.interceptor.js';
import type { BodyReservation } from '../../../platform/http/bodies/body-budget.js';
import {
  BufferBuilder,
  announcedLength,
  receiveBody,
} from '../../../platform/http/bodies/receive-body.js';
import { bodyTooLarge } from '../../../platform/http/bodies/json-body-reader.js';

const MAX_BYTES = 256 * 1024;

/** Reads a body of any type as raw bytes, which the signature covers. */
@Injectable()
export class RawBodyReader implements BodyReader {
  async read(request: Request, _: Response, reservation: BodyReservation): Promise<void> {
    const body = new BufferBuilder(Math.min(announcedLength(request), MAX_BYTES));
    const bounds = { maxBytes: MAX_BYTES, tooLarge: () => bodyTooLarge(MAX_BYTES) };
    await receiveBody(request, reservation, bounds, (piece) => {
      body.append(piece);
    });
    request.bodyBytes = body.bytes();
  }
}
