import type { Api } from '../api.js';

/** What the API has of one kind. */
export abstract class Resource {
  constructor(protected readonly api: Api) {}
}
