import type { Api } from '../api.js';

/** Base class of the resources of the API. */
export abstract class Resource {
  constructor(protected readonly api: Api) {}
}
