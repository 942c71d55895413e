import type { Api, Operation } from './api-document.mjs';

export interface Samples {
  curl: string;
  typescript: string;
  python: string;
}

export function samplesOf(api: Api, operation: Operation): Samples;
