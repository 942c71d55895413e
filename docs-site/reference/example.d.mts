import type { Api, Schema } from './api-document.mjs';

export function exampleOf(api: Api, schema: Schema): unknown;
