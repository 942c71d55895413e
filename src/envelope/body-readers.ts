import { Injectable, SetMetadata, type ExecutionContext, type Type } from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { JsonBodyReader } from './json-body-reader.js';

/** Puts what a request brings on it, after the guards and before its handler and any transaction of it. */
export interface BodyReader {
  /**
   * Sets `body`, and what is the same in every retry: `bodyBytes`, or `bodyHash` of what is not held in memory. Throws an
   * AppError that says what is wrong.
   */
  read(request: Request, response: Response): Promise<void>;
}

const READER = 'body reader';

/** The route takes something else than JSON: this provider reads it. */
export const BodyReadBy = (reader: Type<BodyReader>) => SetMetadata(READER, reader);

/** Knows who reads the body of which route. */
@Injectable()
export class BodyReaders {
  constructor(
    private readonly reflector: Reflector,
    private readonly modules: ModuleRef,
    private readonly json: JsonBodyReader,
  ) {}

  /** `undefined` when nobody is to read one. */
  readerFor(context: ExecutionContext, request: Request): BodyReader | undefined {
    const own = this.reflector.get<Type<BodyReader> | undefined>(READER, context.getHandler());
    if (own) return this.modules.get(own, { strict: false });
    return this.json.isWanted(context, request) ? this.json : undefined;
  }
}
