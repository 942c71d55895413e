import type { PublicKey, PublicRotatedKey } from '../../src/features/keys/key.presenter.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { expectSuccess } from '../support/envelope.js';

/** The routes for keys. */
export class KeysApi {
  constructor(readonly api: ApiClient) {}

  create(body: unknown): Promise<ApiResponse> {
    return this.api.send('POST', '/v1/keys', { body });
  }

  read(id: string): Promise<ApiResponse> {
    return this.api.send('GET', `/v1/keys/${id}`);
  }

  list(query: Record<string, string | number> = {}): Promise<ApiResponse> {
    return this.api.list('/v1/keys', query);
  }

  patch(id: string, body: unknown): Promise<ApiResponse> {
    return this.api.send('PATCH', `/v1/keys/${id}`, { body });
  }

  revoke(id: string): Promise<ApiResponse> {
    return this.api.send('DELETE', `/v1/keys/${id}`);
  }

  rotate(id: string, body: unknown = {}): Promise<ApiResponse> {
    return this.api.send('POST', `/v1/keys/${id}/rotate`, { body });
  }

  /** Creates a key with default values for everything that the test does not set. */
  async made(body: object = {}): Promise<PublicKey & { key: string }> {
    const response = await this.create({
      name: 'Build server',
      scopes: ['documents:read'],
      ...body,
    });
    return expectSuccess(response, 201) as PublicKey & { key: string };
  }

  async rotated(id: string, body: object = {}): Promise<PublicRotatedKey> {
    return expectSuccess(await this.rotate(id, body), 201) as PublicRotatedKey;
  }
}
