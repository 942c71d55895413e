import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Request } from 'express';
import { request as httpRequest, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { connectInProcess } from '../../platform/http/server/in-process-connection.js';
import { Unreachable, type ApiRequest, type ApiResponse, type Send } from './api.js';

/** Headers that identify the sender: the key, the program and the proxies. */
const FORWARDED = ['authorization', 'host', 'user-agent', 'forwarded', 'via'];

/** Sends requests to the API of this process on behalf of requests to `/mcp`. */
@Injectable()
export class InProcessApi {
  constructor(private readonly adapter: HttpAdapterHost) {}

  /**
   * Returns a function that sends requests with the key and address of `caller`. The first one does not count against the
   * rate limit, because `caller` has already been counted.
   */
  sendFor(caller: Request): Send {
    let isFirst = true;
    return (request) => {
      const isCounted = isFirst;
      isFirst = false;
      return this.send(request, caller, isCounted);
    };
  }

  private async send(
    { method, path, headers, body, signal }: ApiRequest,
    caller: Request,
    isCounted: boolean,
  ): Promise<ApiResponse> {
    const server = this.adapter.httpAdapter.getHttpServer() as Server;
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    return new Promise((resolve, reject) => {
      const fail = (cause: Error) => {
        reject(new Unreachable('The response of the service was cut off. Try again.', { cause }));
      };
      const sent = httpRequest({
        method,
        path,
        signal,
        headers: { ...forwardedHeaders(caller), ...headers, ...length },
        createConnection: () => connectInProcess(server, caller, isCounted),
      });
      sent.on('error', fail);
      sent.on('response', (response) => {
        text(response).then((body) => {
          resolve({ status: response.statusCode ?? 0, text: body });
        }, fail);
      });
      sent.end(body);
    });
  }
}

function forwardedHeaders({ headers }: Request): Record<string, string | string[]> {
  const forwarded: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    if (FORWARDED.includes(name) || name.startsWith('x-forwarded-')) forwarded[name] = value;
  }
  return forwarded;
}
