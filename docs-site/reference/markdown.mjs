// Writes the Markdown of generated pages.

/** Returns a page with front matter. */
export function page(file, values, body) {
  const yaml = Object.entries(values).map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`);
  return { file, text: `---\n${yaml.join('')}---\n\n# ${values.title}\n\n${body.trim()}\n` };
}

/** Returns a table, or an empty text without rows. */
export function table(headings, rows) {
  if (rows.length === 0) return '';
  const line = (cells) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(headings), line(headings.map(() => '---')), ...rows.map(line)].join('\n');
}

function cell(text) {
  return String(text)
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('|', String.raw`\|`)
    .trim();
}

export function fence(language, text) {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}

export function code(text) {
  return `\`${text}\``;
}

/** Returns a part that is closed until a reader opens it. */
export function folded(summary, body) {
  return `<details>\n<summary>${summary}</summary>\n\n${body.trim()}\n\n</details>`;
}

/** Returns the parts that are not empty, with blank lines between them. */
export function blocks(...parts) {
  return parts.flat().filter(Boolean).join('\n\n');
}

/** Returns the first sentence of a text, without Markdown. */
export function firstSentence(text) {
  const plain = text.replaceAll('`', '').replace(/\s+/g, ' ').trim();
  return /^.*?[.:](?=\s|$)/.exec(plain)?.[0].replace(/:$/, '.') ?? plain;
}
