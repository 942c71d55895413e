// Tables in the introduction of the API document, which the service writes from its own tables of scopes, plans and errors.

/** Returns the rows of the first table below a heading, as lists of cells, without the line of the headings. */
export function tableOf(api, heading) {
  const section = api.info.description
    .split(/^## /m)
    .find((part) => part.startsWith(`${heading}\n`));
  const lines = (section ?? '').split('\n').filter((line) => line.startsWith('|'));
  if (lines.length < 3)
    throw new Error(`The introduction of openapi.json has no table in ${heading}.`);
  const cells = lines.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((text) => text.trim()),
  );
  return { headings: cells[0], rows: cells.slice(2) };
}
