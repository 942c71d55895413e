import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Request } from 'express';
import { request as httpRequest, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { connectInProcess } from '../../platform/http/server/in-process-connection.js';
import { Unreachable, type ApiRequest, type ApiResponse, type Send } from './api.js';

/** What a request to the API says of who sends it: the key, and what proxies and programs tell of themselves. */
const PASSED_ON = ['authorization', 'host', 'user-agent', 'forwarded', 'via'];

/** Reaches the API of this process, for whoever has sent a request to `/mcp`. */
@Injectable()
export class InProcessApi {
  constructor(private readonly adapter: HttpAdapterHost) {}

  /**
   * Sends requests as the sender of `caller` would: with its key and from its address. The first one was counted when
   * `caller` came.
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
        reject(new Unreachable('The answer of the service broke off. Try again.', { cause }));
      };
      const sent = httpRequest({
        method,
        path,
        signal,
        headers: { ...passedOn(caller), ...headers, ...length },
        createConnection: () => connectInProcess(server, caller, isCounted),
      });
      sent.on('error', fail);
      sent.on('response', (response) => {
        text(response).then((answer) => {
          resolve({ status: response.statusCode ?? 0, text: answer });
        }, fail);
      });
      sent.end(body);
    });
  }
}

function passedOn({ headers }: Request): Record<string, string | string[]> {
  const passed: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    if (PASSED_ON.includes(name) || name.startsWith('x-forwarded-')) passed[name] = value;
  }
  return passed;
}
