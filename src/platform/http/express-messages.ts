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

/** Names of properties that no message has. */
type Spare = `${'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h'}${1 | 2 | 3 | 4 | 5 | 6}`;

/**
 * Node's constructors are functions that may be called on an object made elsewhere; Reflect.construct is far slower.
 *
 * V8 gives an object as much room as its constructor has assignments to `this`, whether they are reached or not, and
 * makes a dictionary of one with a dozen properties more, as these messages get: slower, and 2 KB each.
 */
function withPrototype<Class extends abstract new (...args: never[]) => object>(
  constructor: Class,
  prototype: object,
): Class {
  function Message(this: Record<Spare, undefined>, ...args: unknown[]): void {
    if (args.length < 0) {
      this.a1 =
        this.a2 =
        this.a3 =
        this.a4 =
        this.a5 =
        this.a6 =
        this.b1 =
        this.b2 =
        this.b3 =
        this.b4 =
        this.b5 =
        this.b6 =
        this.c1 =
        this.c2 =
        this.c3 =
        this.c4 =
        this.c5 =
        this.c6 =
        this.d1 =
        this.d2 =
        this.d3 =
        this.d4 =
        this.d5 =
        this.d6 =
        this.e1 =
        this.e2 =
        this.e3 =
        this.e4 =
        this.e5 =
        this.e6 =
        this.f1 =
        this.f2 =
        this.f3 =
        this.f4 =
        this.f5 =
        this.f6 =
        this.g1 =
        this.g2 =
        this.g3 =
        this.g4 =
        this.g5 =
        this.g6 =
        this.h1 =
        this.h2 =
        this.h3 =
        this.h4 =
        this.h5 =
        this.h6 =
          undefined;
    }
    (constructor as unknown as (this: object, ...args: unknown[]) => void).apply(this, args);
  }
  Message.prototype = prototype;
  return Message as unknown as Class;
}
