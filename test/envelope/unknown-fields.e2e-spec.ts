import type { OpenAPIObject } from '@nestjs/swagger';
import { ApiDocument, samplePath } from '../openapi/api-document.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure } from '../support/envelope.js';

let app: TestApp;
let api: ApiClient;
let document: ApiDocument;
beforeAll(async () => {
  app = await startTestApp();
  ({ api } = await app.account());
  document = new ApiDocument(
    (await app.api().send('GET', '/v1/openapi.json')).body as OpenAPIObject,
  );
});
afterAll(() => app.close());

const withKey = () => document.operations().filter(({ security }) => security?.length !== 0);

describe('a field that is not known', () => {
  it('is refused in the query of every operation, by its name', async () => {
    for (const operation of withKey()) {
      const { method, operationId } = operation;
      const answer = await api.send(method, `${samplePath(operation)}?dryRun=true`);
      const problems = (answer.body?.error?.details?.problems ?? []) as { field: string }[];
      const named = problems.some(({ field }) => field === 'dryRun');
      expect({ operationId, status: answer.status, named }).toEqual({
        operationId,
        status: 400,
        named: true,
      });
    }
  });

  it('is refused in the body of a POST that takes none, by its name', async () => {
    const id = 'doc_01h455vb4pex5vsknk084sn02q';
    for (const path of [
      `/v1/documents/${id}/restore`,
      `/v1/documents/${id}/versions/1/restore`,
      '/v1/templates/tmpl_01h455vb4pex5vsknk084sn02q/versions/1/restore',
    ]) {
      const refused = await api.send('POST', path, { body: { force: true, why: [] } });
      expectFailure(refused, 400, 'INVALID_REQUEST');
      expect(refused.body.error.details.problems).toEqual([
        { field: 'force', issue: 'is not a known field; this request takes none' },
        { field: 'why', issue: 'is not a known field; this request takes none' },
      ]);
      expectFailure(await api.send('POST', path, { body: {} }), 404, 'NOT_FOUND');
      // Many clients name a type for the body they have not.
      const headers = { 'content-type': 'application/json' };
      expectFailure(await api.send('POST', path, { headers }), 404, 'NOT_FOUND');
    }
  });

  it('is ignored where probes and browsers come by, and where there is nothing', async () => {
    for (const path of ['/health/live?x=1', '/health/ready?x=1', '/metrics?x=1', '/docs?x=1', '/v1/openapi.json?x=1']) {
      expect((await app.api().send('GET', path)).status).toBe(200);
    }
    expectFailure(await api.send('GET', '/v1/nowhere?x=1'), 404, 'NOT_FOUND');
    expectFailure(await api.send('DELETE', '/v1/documents?x=1'), 405, 'INVALID_REQUEST');
  }); // prettier-ignore
});
