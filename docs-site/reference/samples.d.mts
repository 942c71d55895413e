import type { Api, Operation } from './api-document.mjs';

export interface Samples {
  curl: string;
  typescript: string;
  python: string;
}

export function samplesOf(api: Api, operation: Operation): Samples;

export interface SampleRequest {
  path: Readonly<Record<string, string | number>>;
  body?: object;
}

export function requestOf(api: Api, operation: Operation): SampleRequest;
