import createClient from 'openapi-fetch';
import type { components, paths } from '../out/openapi-typescript/schema';
import { authorization, origin, report } from './service';

type Body = NonNullable<
  paths['/v1/documents']['post']['requestBody']
>['content']['application/json'];

export const bodies: Body[] = [
  { title: 'Notes' },
  { templateId: 'tmpl_01h455vb4pex5vsknk084sn02q' },
  { templateId: 'tmpl_01h455vb4pex5vsknk084sn02q', title: 'Notes' },
  // @ts-expect-error: neither a title nor a template
  {},
];
// @ts-expect-error: without a template a document needs a title
export const untitled: components['schemas']['CreateDocument'] = {};

async function main() {
  const client = createClient<paths>({ baseUrl: origin, headers: authorization });
  const created = await client.POST('/v1/documents', { body: { title: 'openapi-typescript' } });
  if (!created.data) throw new Error(created.error.error.message);
  const { id } = created.data.data;
  const read = await client.GET('/v1/documents/{id}', { params: { path: { id } } });
  const listed = await client.GET('/v1/documents', { params: { query: { limit: 100 } } });
  if (!read.data || !listed.data) throw new Error('The document cannot be read.');
  const { content, ...document } = read.data.data as components['schemas']['Document'];
  report(created.data.data, document, listed.data.data as components['schemas']['Document'][]);
  const one: string = content;
  console.error(one);
}

void main();
