import type { ApiClient, ApiResponse } from '../support/api-client.js';

/** Removes from a response what an import does not preserve: ids of people, who are different in another account. */
function comparable(text: string): string {
  return text
    .replace(/"(createdBy|updatedBy|author)":\{[^{}]*\}/g, '"$1":{}')
    .replace(/,"meta":\{"requestId".*$/s, '');
}

function textOf(response: ApiResponse): string {
  if (response.status !== 200) throw new Error(response.text);
  return comparable(response.text);
}

async function idsIn(api: ApiClient, path: string, query: object = {}): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null | undefined;
  do {
    const { body, status, text } = await api.list(path, {
      order: 'asc',
      limit: 100,
      ...query,
      cursor,
    });
    if (status !== 200) throw new Error(text);
    ids.push(...(body.data as { id: string }[]).map(({ id }) => id));
    cursor = (body.meta.pagination as { nextCursor: string | null }).nextCursor;
  } while (cursor != null);
  return ids;
}

/** Returns every template, document and version of an account by id, exactly as the API returns them. */
export async function stateOf(api: ApiClient): Promise<Map<string, string[]>> {
  const state = new Map<string, string[]>();
  for (const kind of ['templates', 'documents']) {
    for (const id of await idsIn(api, `/v1/${kind}`)) {
      const path = `/v1/${kind}/${id}`;
      const thing = await api.send('GET', path);
      const { version } = (thing.body as { data: { version: number } }).data;
      const texts = [textOf(thing)];
      for (let number = 1; number <= version; number += 1) {
        texts.push(textOf(await api.send('GET', `${path}/versions/${String(number)}`)));
      }
      state.set(id, texts);
    }
  }
  return state;
}

/** Returns the same state with other ids. */
export function renamed(
  state: ReadonlyMap<string, string[]>,
  ids: ReadonlyMap<string, string>,
): Map<string, string[]> {
  const rename = (text: string) =>
    text.replace(/"(doc|tmpl)_[0-9a-z]{26}"/g, (id) => {
      const other = ids.get(JSON.parse(id) as string);
      return other === undefined ? id : JSON.stringify(other);
    });
  return new Map([...state].map(([id, texts]) => [ids.get(id) ?? id, texts.map(rename)] as const));
}

/** Returns the lines of an archive or an import report. */
export function recordsIn(text: string): Record<string, any>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
