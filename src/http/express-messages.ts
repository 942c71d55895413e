import { IncomingMessage, ServerResponse, type ServerOptions } from 'node:http';
import type { Express } from 'express';

/**
 * Messages born with Express' prototypes. Express sets the prototypes of both messages at every request. On messages of
 * another kind V8 then makes new hidden classes, which costs about 35 µs a request and moves what each request allocated
 * into the old generation, so that the collector never rests. To set the prototype an object has already costs nothing.
 */
export function expressMessages(
  express: Express,
): Pick<Required<ServerOptions>, 'IncomingMessage' | 'ServerResponse'> {
  return {
    IncomingMessage: withPrototype(IncomingMessage, express.request),
    ServerResponse: withPrototype(ServerResponse, express.response),
  };
}

/** Node's constructors are functions that may be called on an object made elsewhere; Reflect.construct is far slower. */
function withPrototype<Class extends abstract new (...args: never[]) => object>(
  constructor: Class,
  prototype: object,
): Class {
  function Message(this: object, ...args: unknown[]): void {
    (constructor as unknown as (this: object, ...args: unknown[]) => void).apply(this, args);
  }
  Message.prototype = prototype;
  return Message as unknown as Class;
}
