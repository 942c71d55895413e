// Tables of fields, with those of nested objects folded.
import { blocks, code, folded, table } from './markdown.mjs';

/**
 * Returns a table of fields, and a folded table for each nested object. In responses, most fields are always present, and
 * limits do not matter. Two columns fit on a phone.
 */
export function fieldTable(fields, { path = '', heading = 'Field', isResponse = false } = {}) {
  if (fields.length === 0) return '';
  const rows = fields.map((field) => [
    `${nameOf(field, isResponse)}<br>${isResponse ? field.type : typeOf(field)}`,
    descriptionOf(field),
  ]);
  const nested = fields.flatMap((field) => nestedTables(field, `${path}${field.name}`, isResponse));
  const isDescribed = rows.some(([, description]) => description !== '');
  const shown = isDescribed
    ? table([heading, 'Description'], rows)
    : table(
        [heading],
        rows.map(([name]) => [name]),
      );
  return blocks(shown, nested);
}

function nameOf({ name, required }, isResponse) {
  const mark = isResponse ? !required && 'optional' : required && 'required';
  return mark ? `${code(name)} **${mark}**` : code(name);
}

function typeOf({ type, limits }) {
  return [type, ...limits].join(', ');
}

function descriptionOf({ description, values, default: initial }) {
  const parts = [description];
  if (values.length > 0)
    parts.push(`${values.length === 1 ? 'Always' : 'One of'} ${listed(values)}.`);
  if (initial !== undefined && !description.includes('Default')) {
    parts.push(`Default: ${code(JSON.stringify(initial).replaceAll('"', ''))}.`);
  }
  return parts.filter(Boolean).join(' ');
}

function listed(values) {
  return values.map((value) => code(String(value))).join(', ');
}

function nestedTables({ fields, variants }, path, isResponse) {
  if (fields.length > 0) {
    return [
      folded(
        `Fields of <code>${path}</code>`,
        fieldTable(fields, { path: `${path}.`, isResponse }),
      ),
    ];
  }
  return variants
    .filter((variant) => variant.fields.length > 0)
    .map(({ name, fields: own }) => {
      const which = name.replace(/`([^`]*)`/g, '<code>$1</code>');
      const summary = `Fields of <code>${path}</code>${which && `, ${which}`}`;
      return folded(summary, fieldTable(own, { path: `${path}.`, isResponse }));
    });
}
