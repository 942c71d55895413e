import type { Api } from '../api.js';

export abstract class Resource {
  constructor(protected readonly api: Api) {}
}
